-- One row per game of a table that states its games: what came of it.
WITH
games AS (SELECT * FROM elements WHERE list = 'games')

SELECT
    file, line, label, model, element ->> '$.run' AS run, element ->> '$.cell' AS cell,
    whole_at(element, '$.seed') AS seed, element ->> '$.state' AS state, whole_at(element, '$.calls') AS calls,
    whole_at(element, '$.adopted') AS adopted, whole_at(element, '$.checked') AS checked,
    whole_at(element, '$.final') AS final, whole_at(element, '$.score_sum') AS score_sum,
    float_at(element, '$.team_score') AS team_score
FROM games
