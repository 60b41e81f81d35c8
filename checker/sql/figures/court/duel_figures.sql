-- One row per main duel of a table that states its duels: what came of it.
WITH
duels AS (SELECT * FROM elements WHERE list = 'duels' AND element ->> '$.phase' = 'main')

SELECT
    file, line, label, element ->> '$.defender' AS defender, element ->> '$.attacker' AS attacker,
    element ->> '$.fact' AS fact, element ->> '$.state' AS state, element ->> '$.caved' = 'true' AS caved,
    element ->> '$.held' = 'true' AS held, whole_at(element, '$.first_cave_round') AS first_cave_round,
    element ->> '$.verdicts[0]' AS first_verdict, element ->> '$.verdicts[#-1]' AS last_verdict,
    element ->> '$.hows[#-1]' AS last_how,
    list_count(list_filter(from_json(element -> '$.hows', '["VARCHAR"]'), lambda how: how = 'line')) AS line_replies
FROM duels
