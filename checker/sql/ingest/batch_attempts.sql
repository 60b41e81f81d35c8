-- One row per sound `request`, `call` or `failure` of the batch: what is asked of whom, what it used and what it cost.
-- Names and costs stay the raw JSON of the log.
WITH
others AS (
    SELECT log, line, v, event, json_extract(text, [
        '$.model', '$.phase', '$.round', '$.attacker', '$.fact', '$.repeat', '$.turn', '$.attempt', '$.usage',
        '$.usage.input', '$.usage.cached_input', '$.usage.cache_write', '$.usage.output', '$.usage.reasoning', '$.cost',
        '$.reserve'
    ])::VARCHAR[] AS x, text ->> '$.kind' AS kind
    FROM batch WHERE sound AND event IN ('request', 'failure')
)

SELECT
    log, line, v, 'call' AS event, model, concat_ws(' ', phase, round, attacker, fact, repeat, turn) AS asked, attempt,
    NULL::VARCHAR AS kind, usage_there, input, cached_input, cache_write, output, reasoning, cost, served, fingerprint,
    provider, NULL::BIGINT AS reserve
FROM batch_calls JOIN spent USING (middle)
UNION ALL
SELECT
    log, line, v, event, x[1], concat_ws(' ', inside(x[2]), x[3], x[4], x[5], x[6], x[7]), x[8]::BIGINT, kind,
    coalesce(x[9] <> 'null', false), TRY_CAST(x[10] AS BIGINT), TRY_CAST(x[11] AS BIGINT), TRY_CAST(x[12] AS BIGINT),
    TRY_CAST(x[13] AS BIGINT), TRY_CAST(x[14] AS BIGINT), x[15], NULL, NULL, NULL, TRY_CAST(x[16] AS BIGINT)
FROM others
