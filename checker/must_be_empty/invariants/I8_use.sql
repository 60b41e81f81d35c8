-- I8: `calls` and `failures` of a model are the lines that its logs hold, and its tokens and its cost are what these
-- add up to.
WITH
lines AS (SELECT *, kept IS NOT DISTINCT FROM calls + failures AS whole FROM line_figures),
rows_in AS (
    SELECT file, line, model, label || '.use.' AS label, element -> '$.use' AS stated, lines.*
    FROM elements LEFT JOIN lines USING (model) WHERE list = 'rows' AND file = '(derived)'
),
wanted AS (
    SELECT file, line, model, label || 'calls' AS field, coalesce(calls, 0) AS expected, stated ->> '$.calls' AS found
    FROM rows_in
    UNION ALL
    SELECT file, line, model, label || 'failures', coalesce(failures, 0), stated ->> '$.failures' FROM rows_in
    UNION ALL
    SELECT file, line, model, label || part.name, part.expected, stated ->> ('$.' || part.name)
    FROM (
        SELECT *, unnest([
            {'name': 'input', 'expected': input}, {'name': 'cached_input', 'expected': cached_input},
            {'name': 'cache_write', 'expected': cache_write}, {'name': 'output', 'expected': output},
            {'name': 'reasoning', 'expected': reasoning}, {'name': 'cost_microusd', 'expected': cost}
        ]) AS part
        FROM rows_in WHERE whole
    ) WHERE stated ->> ('$.' || part.name) IS NOT NULL
),
places AS (
    SELECT
        file, line, model, field, expected::VARCHAR AS expected, coalesce(found, 'null') AS found,
        expected::VARCHAR = found AS holds
    FROM wanted
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
