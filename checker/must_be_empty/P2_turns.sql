-- P2: the turn is 0 to 2·rounds; role and model follow from it.
WITH
last AS (SELECT 2 * rounds AS turn FROM parameters),
asked AS (
    SELECT log, line, turn, attacker, role, model FROM attempts
    UNION ALL SELECT log, line, turn, attacker, role, model FROM requested
),
attempts_in AS (
    SELECT asked.*, CASE WHEN turn % 2 = 0 THEN to_json(logs.model)::VARCHAR ELSE asked.attacker END AS speaker,
        CASE WHEN turn % 2 = 0 THEN 'defender' ELSE 'attacker' END AS part
    FROM asked JOIN logs USING (log)
)

SELECT log, line, 'P2' AS rule, 'turn' AS field, '0 to ' || last.turn AS expected, attempts_in.turn::VARCHAR AS found
FROM attempts_in CROSS JOIN last WHERE attempts_in.turn NOT BETWEEN 0 AND last.turn
UNION ALL
SELECT log, line, 'P2', 'role', part, role FROM attempts_in WHERE role <> part
UNION ALL
SELECT log, line, 'P2', 'model', speaker, model FROM attempts_in WHERE model <> speaker
