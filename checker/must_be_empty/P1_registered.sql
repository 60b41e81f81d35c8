-- P1: requests, calls and failures name a registered duel, and one of sudden death an earlier registration.
WITH
asked AS (
    SELECT requested.log, requested.line, duels.duel, duels.registered_at
    FROM requested LEFT JOIN duels
        ON duels.log = requested.log AND duels.phase = requested.phase AND duels.round = requested.round
        AND duels.attacker_json = requested.attacker AND duels.fact_json = requested.fact
        AND duels.repeat = requested.repeat
),
named AS (
    SELECT log, line, duel, registered_at FROM duel_attempts WHERE duel IS NULL OR line < registered_at
    UNION ALL SELECT * FROM asked WHERE duel IS NULL OR line < registered_at
)

SELECT log, line, 'P1' AS rule, 'attacker, fact, repeat, round' AS field,
    'a duel that this log has registered before' AS expected,
    CASE WHEN duel IS NULL THEN 'no such duel is registered' ELSE 'it is registered at line ' || registered_at END
        AS found
FROM named
