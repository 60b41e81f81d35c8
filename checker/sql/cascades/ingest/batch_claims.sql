-- One row per claim of a sound post or action of the batch, by its place from 0.
WITH
listed AS (
    SELECT log, line, event, json_extract(text, '$.claims[*]') AS claims
    FROM batch WHERE sound AND event IN ('action', 'post') AND NOT contains(text, '"claims":[],')
),
single AS (
    SELECT log, line, event, unnest(range(len(claims)))::INTEGER AS place, unnest(claims) AS claim FROM listed
)

SELECT
    log, line, event, place, (claim -> '$.config')::VARCHAR AS config, (claim ->> '$.score')::INTEGER AS score,
    claim ->> '$.receipt' AS receipt, (claim ->> '$.verified')::BOOLEAN AS verified
FROM single
