-- P4: the attempts of a turn are 1, 2, 3 … in order, and nothing follows its call.
WITH
several AS (
    SELECT duel, turn FROM duel_attempts WHERE duel IS NOT NULL
    GROUP BY duel, turn HAVING count(*) > 1 OR max(attempt) <> 1 OR min(attempt) <> 1
),
ordered AS (
    SELECT log, line, called, attempt,
        row_number() OVER (PARTITION BY duel, turn ORDER BY line) AS expected,
        max(called::INTEGER) OVER (
            PARTITION BY duel, turn ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS answered
    FROM duel_attempts JOIN several USING (duel, turn)
)

SELECT log, line, 'P4' AS rule, 'attempt' AS field, expected::VARCHAR AS expected, attempt::VARCHAR AS found
FROM ordered WHERE attempt <> expected
UNION ALL
SELECT log, line, 'P4', 'attempt', 'nothing after the call of this turn', 'another attempt'
FROM ordered WHERE answered = 1 AND NOT called
