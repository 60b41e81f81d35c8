-- One row per sound `request`, `call` or `failure` of the batch: what is asked, what it used and what it cost.
-- Names and costs stay the raw JSON of the log.
WITH
models AS (SELECT log, to_json(model)::VARCHAR AS model FROM logs),
calls_in AS (SELECT * FROM batch_calls),
others AS (
    SELECT log, line, v, event, text ->> '$.kind' AS kind, json_extract(text, [
        '$.round', '$.agent', '$.ask', '$.attempt', '$.usage', '$.usage.input', '$.usage.cached_input',
        '$.usage.cache_write', '$.usage.output', '$.usage.reasoning', '$.cost', '$.reserve'
    ])::VARCHAR[] AS x
    FROM batch WHERE sound AND event IN ('request', 'failure')
)

SELECT
    log, line, v, 'call' AS event, model, concat_ws(' ', round, agent, ask) AS asked, attempt, NULL::VARCHAR AS kind,
    usage_there, input, cached_input, cache_write, output, reasoning, cost, served, fingerprint, provider,
    NULL::BIGINT AS reserve
FROM calls_in JOIN models USING (log)
UNION ALL
SELECT
    log, line, v, event, model, concat_ws(' ', x[1], agent_number(x[2]), x[3]), x[4]::BIGINT, kind,
    coalesce(x[5] <> 'null', false), TRY_CAST(x[6] AS BIGINT), TRY_CAST(x[7] AS BIGINT), TRY_CAST(x[8] AS BIGINT),
    TRY_CAST(x[9] AS BIGINT), TRY_CAST(x[10] AS BIGINT), x[11], NULL, NULL, NULL, TRY_CAST(x[12] AS BIGINT)
FROM others JOIN models USING (log)
