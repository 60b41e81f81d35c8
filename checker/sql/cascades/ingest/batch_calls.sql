-- One row per sound call of the batch, with its reply and the scope in which that is read (C12).
WITH
fields AS (
    SELECT log, line, json_extract(text, [
        '$.round', '$.agent', '$.ask', '$.attempt', '$.posts', '$.prompt_sha256', '$.finish', '$.cost'
    ])::VARCHAR[] AS x, text ->> '$.system' AS system, text ->> '$.user' AS user_text, text ->> '$.text' AS text
    FROM batch WHERE sound AND event = 'call'
),
typed AS (
    SELECT
        log, line, x[1]::BIGINT AS round, agent_number(x[2]) AS agent, x[3]::BIGINT AS ask, x[4]::BIGINT AS attempt,
        x[5]::BIGINT[] AS posts, system, user_text, inside(x[6]) AS prompt_sha256, inside(x[7]) AS finish,
        TRY_CAST(x[8] AS BIGINT) AS cost, text
    FROM fields
)

SELECT
    typed.*,
    CASE
        WHEN round > parameters.rounds THEN 'final' WHEN cells.board IS FALSE THEN 'isolated' ELSE 'board'
    END AS scope,
    finish NOT IN ('length', 'refusal') AS readable
FROM typed JOIN logs USING (log) LEFT JOIN cells USING (cell) CROSS JOIN parameters
