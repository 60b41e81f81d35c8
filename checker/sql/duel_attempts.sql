-- One row per `call` or `failure`, with the number of the registered duel that it belongs to (null if none, P1).
WITH
attempts_in AS (SELECT * FROM attempts),
registered AS (SELECT duel, log, phase, round, attacker_json, fact_json, repeat, registered_at FROM duels)

SELECT
    registered.duel, attempts_in.log, attempts_in.line, called, turn, attempt, role, model, finish, blank, answer, how,
    fallback, registered.registered_at
FROM attempts_in LEFT JOIN registered
    ON registered.log = attempts_in.log AND registered.phase = attempts_in.phase
    AND registered.round = attempts_in.round AND registered.attacker_json = attempts_in.attacker
    AND registered.fact_json = attempts_in.fact AND registered.repeat = attempts_in.repeat
