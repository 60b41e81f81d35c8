-- One row per sound `request`, `call` or `failure` of the batch: what is asked of whom, what it used and what it cost.
-- Names and costs stay the raw JSON of the log.
WITH
sound AS (SELECT * FROM batch WHERE sound AND event IN ('request', 'call', 'failure'))

SELECT
    log, line, v, event, model, concat_ws(' ', phase, round, attacker, fact, repeat, turn) AS asked,
    attempt::BIGINT AS attempt, text ->> '$.kind' AS kind, coalesce(usage_there, false) AS usage_there,
    input, cached_input, cache_write, output, reasoning, cost, served, fingerprint, provider,
    (text ->> '$.reserve')::BIGINT AS reserve
FROM sound
