-- One row per sound call of the batch, with its reply and the scope in which that is read (C12).
WITH
fields AS (
    SELECT log, line, v, json_extract(text, [
        '$.round', '$.agent', '$.ask', '$.attempt', '$.posts', '$.prompt_sha256', '$.finish', '$.cost', '$.usage',
        '$.usage.input', '$.usage.cached_input', '$.usage.cache_write', '$.usage.output', '$.usage.reasoning',
        '$.served', '$.fingerprint', '$.provider'
    ])::VARCHAR[] AS x, text ->> '$.system' AS system, text ->> '$.user' AS user_text, text ->> '$.text' AS text
    FROM batch WHERE sound AND event = 'call'
),
typed AS (
    SELECT
        log, line, v, x[1]::BIGINT AS round, agent_number(x[2]) AS agent, x[3]::BIGINT AS ask, x[4]::BIGINT AS attempt,
        x[5]::BIGINT[] AS posts, system, user_text, inside(x[6]) AS prompt_sha256, inside(x[7]) AS finish,
        x[8] AS cost, x[9] <> 'null' AS usage_there, TRY_CAST(x[10] AS BIGINT) AS input,
        TRY_CAST(x[11] AS BIGINT) AS cached_input, TRY_CAST(x[12] AS BIGINT) AS cache_write,
        TRY_CAST(x[13] AS BIGINT) AS output, TRY_CAST(x[14] AS BIGINT) AS reasoning, x[15] AS served,
        x[16] AS fingerprint, x[17] AS provider, text
    FROM fields
)

SELECT
    typed.*,
    CASE
        WHEN round > parameters.rounds THEN 'final' WHEN cells.board IS FALSE THEN 'isolated' ELSE 'board'
    END AS scope,
    finish NOT IN ('length', 'refusal') AS readable, regexp_full_match(text, '[\x09-\x0d ]*') AS blank
FROM typed JOIN logs USING (log) LEFT JOIN cells USING (cell) CROSS JOIN parameters
