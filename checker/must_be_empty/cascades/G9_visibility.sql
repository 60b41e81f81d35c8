-- G9: a team member's post is seen by the whole team, a confederate's by agents 1 and 2 (C6).
WITH
visible AS (
    SELECT log, line, seen_by, CASE WHEN agent <= team THEN range(1, team + 1) ELSE [1, 2] END::INTEGER[] AS expected
    FROM posts CROSS JOIN parameters
)

SELECT log, line, 'G9' AS rule, 'seen_by' AS field,
    to_json(list_transform(expected, lambda agent: agent_name(agent)))::VARCHAR AS expected,
    to_json(list_transform(seen_by, lambda agent: agent_name(agent)))::VARCHAR AS found
FROM visible WHERE seen_by <> expected
