-- G7: a team member's post is the claims and the note of its action of that round; the isolated cell has no post.
WITH
team AS (SELECT team, rounds FROM parameters),
boards AS (SELECT log, coalesce(cells.board, false) AS board FROM logs LEFT JOIN cells USING (cell)),
ends AS (SELECT log, max(step) AS step FROM steps WHERE event <> 'abort' GROUP BY log),
posted AS (
    SELECT posts.*, row_number() OVER (PARTITION BY log, round, agent ORDER BY line) AS nth
    FROM posts JOIN boards USING (log) WHERE board AND agent <= (SELECT team FROM team)
),
said AS (
    SELECT actions.log, actions.line AS action_line, round, agent, note, claims <> '[]' AS claimed, 1 AS nth
    FROM actions JOIN boards USING (log)
    WHERE board AND round <= (SELECT rounds FROM team) AND (claims <> '[]' OR note <> '')
    QUALIFY row_number() OVER (PARTITION BY actions.log, round, agent ORDER BY actions.line) = 1
),
pairs AS (SELECT posted.*, action_line, said.note AS said_note FROM posted JOIN said USING (log, round, agent, nth)),
posted_claims AS (
    SELECT pairs.log, pairs.line, place, struct_pack(config := config, score := score, receipt := receipt) AS claim
    FROM pairs JOIN post_claims USING (log, line)
),
said_claims AS (
    SELECT pairs.log, pairs.line, place, struct_pack(config := config, score := score, receipt := receipt) AS claim
    FROM pairs JOIN action_claims ON action_claims.log = pairs.log AND action_claims.line = pairs.action_line
)

SELECT log, line, 'G7' AS rule, 'event' AS field, 'no post in a cell without a board' AS expected, 'a post' AS found
FROM posts JOIN boards USING (log) WHERE NOT board
UNION ALL
SELECT posted.log, posted.line, 'G7', 'event',
    'a post only where the action of its agent and round has claims or a note',
    'a post of ' || agent_name(posted.agent) || ' in round ' || posted.round
FROM posted ANTI JOIN said USING (log, round, agent, nth)
UNION ALL
SELECT said.log, action_line, 'G7', 'event', 'a post of ' || agent_name(said.agent) || ' in round ' || said.round,
    'none'
FROM said JOIN ends ON ends.log = said.log AND ends.step > step(said.round, 3, said.agent, 0)
ANTI JOIN posted ON posted.log = said.log AND posted.round = said.round AND posted.agent = said.agent
UNION ALL
SELECT log, line, 'G7', 'note', said_note, note FROM pairs WHERE note <> said_note
UNION ALL
SELECT
    coalesce(said_claims.log, posted_claims.log), coalesce(said_claims.line, posted_claims.line), 'G7',
    'claims[' || coalesce(said_claims.place, posted_claims.place) || ']',
    coalesce(to_json(said_claims.claim)::VARCHAR, 'no such claim'),
    coalesce(to_json(posted_claims.claim)::VARCHAR, 'the claim is missing')
FROM said_claims FULL JOIN posted_claims ON said_claims.log = posted_claims.log
    AND said_claims.line = posted_claims.line AND said_claims.place = posted_claims.place
WHERE said_claims.claim IS DISTINCT FROM posted_claims.claim
