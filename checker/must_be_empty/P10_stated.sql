-- P10: stated and stated_totals stand in imported runs only, name registered main duels, each at most once.
WITH
statements AS (SELECT stated.*, imported FROM stated JOIN logs USING (log)),
whole AS (SELECT stated_totals.*, imported FROM stated_totals JOIN logs USING (log)),
main AS (SELECT log, attacker, fact, repeat FROM duels WHERE phase = 'main'),
faults AS (
    SELECT log, line, 'P10' AS rule, 'event' AS field, 'no stated numbers in a played run' AS expected,
        'stated' AS found
    FROM statements WHERE NOT imported
    UNION ALL
    SELECT log, line, 'P10', 'event', 'no stated numbers in a played run', 'stated_totals' FROM whole WHERE NOT imported
    UNION ALL
    SELECT log, line, 'P10', 'attacker, fact, repeat', 'a registered main duel', 'no such duel is registered'
    FROM statements ANTI JOIN main USING (log, attacker, fact, repeat)
    UNION ALL
    SELECT log, line, 'P10', 'attacker, fact, repeat', 'one statement a duel', 'another one'
    FROM statements QUALIFY row_number() OVER (PARTITION BY log, attacker, fact, repeat ORDER BY line) > 1
    UNION ALL
    SELECT log, line, 'P10', 'event', 'at most one stated_totals', 'another one'
    FROM whole QUALIFY row_number() OVER (PARTITION BY log ORDER BY line) > 1
)

SELECT * FROM faults
