-- One row per different text of what stands between `finish` and `settings` in the batch's calls, read.
WITH
texts AS (SELECT DISTINCT middle FROM batch_calls),
fields AS (
    SELECT middle, json_extract(concat('{"', middle, '}'), [
        '$.usage', '$.usage.input', '$.usage.cached_input', '$.usage.cache_write', '$.usage.output',
        '$.usage.reasoning', '$.cost', '$.served', '$.fingerprint', '$.provider'
    ])::VARCHAR[] AS x
    FROM texts
)

SELECT
    middle, x[1] <> 'null' AS usage_there, TRY_CAST(x[2] AS BIGINT) AS input, TRY_CAST(x[3] AS BIGINT) AS cached_input,
    TRY_CAST(x[4] AS BIGINT) AS cache_write, TRY_CAST(x[5] AS BIGINT) AS output, TRY_CAST(x[6] AS BIGINT) AS reasoning,
    x[7] AS cost, x[8] AS served, x[9] AS fingerprint, x[10] AS provider
FROM fields
