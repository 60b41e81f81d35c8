-- G10: a call's posts are exactly the posts of earlier rounds that its agent can see, in order.
WITH
team AS (SELECT team FROM parameters),
seen AS (
    SELECT log, post, round, unnest(CASE WHEN agent <= team THEN range(1, team + 1) ELSE [1, 2] END)::INTEGER AS agent
    FROM posts CROSS JOIN team
),
-- What each agent sees in each round, once; several calls of a turn show the same.
rounds AS (SELECT DISTINCT log, round, agent FROM calls),
shown AS (
    SELECT rounds.log, rounds.round, rounds.agent, list(seen.post ORDER BY seen.post) AS posts
    FROM rounds JOIN seen ON seen.log = rounds.log AND seen.agent = rounds.agent AND seen.round < rounds.round
    GROUP BY ALL
),
expected AS (
    SELECT calls.log, calls.line, calls.posts, coalesce(shown.posts, []::BIGINT[]) AS expected
    FROM calls LEFT JOIN shown USING (log, round, agent)
)

SELECT log, line, 'G10' AS rule, 'posts' AS field, to_json(expected)::VARCHAR AS expected,
    to_json(posts)::VARCHAR AS found
FROM expected WHERE posts <> expected
