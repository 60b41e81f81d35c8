-- P1: calls and failures name a registered duel, and one of sudden death an earlier registration.
SELECT log, line, 'P1' AS rule, 'attacker, fact, repeat, round' AS field,
    'a duel that this log has registered before' AS expected,
    CASE WHEN duel IS NULL THEN 'no such duel is registered' ELSE 'it is registered at line ' || registered_at END AS found
FROM duel_attempts WHERE duel IS NULL OR line < registered_at
