-- P3: one call a turn, and no turn before the call of the turn before it.
WITH
calls AS (SELECT duel, turn, min(line) AS first_line FROM duel_attempts WHERE called AND duel IS NOT NULL
    GROUP BY duel, turn),
attempts_in AS (SELECT * FROM duel_attempts WHERE duel IS NOT NULL)

SELECT attempts_in.log, attempts_in.line, 'P3' AS rule, 'turn' AS field, 'one call for each turn' AS expected,
    'turn ' || attempts_in.turn || ' was answered at line ' || calls.first_line AS found
FROM attempts_in JOIN calls USING (duel, turn)
WHERE attempts_in.called AND attempts_in.line > calls.first_line
UNION ALL
SELECT attempts_in.log, attempts_in.line, 'P3', 'turn', 'after the call of turn ' || (attempts_in.turn - 1),
    coalesce('that call stands at line ' || calls.first_line, 'there is no such call')
FROM attempts_in LEFT JOIN calls ON calls.duel = attempts_in.duel AND calls.turn = attempts_in.turn - 1
WHERE attempts_in.turn > 0 AND (calls.first_line IS NULL OR calls.first_line > attempts_in.line)
