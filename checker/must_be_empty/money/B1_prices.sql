-- B1: a price is of a model of its log, and what it says stands in the price table that it names.
WITH
of_log AS (SELECT log, model FROM log_models),
stated AS (
    SELECT
        prices.*, 'runs/prices/' || table_name AS file, tables_in.sha256, tables_in.fault,
        tables_in.date AS wanted_date,
        rows_in.model IS NOT NULL AS known, rows_in.source AS wanted_source, rows_in.input AS wanted_input,
        rows_in.cached_input AS wanted_cached_input, rows_in.cache_write AS wanted_cache_write,
        rows_in.output AS wanted_output, rows_in.reasoning AS wanted_reasoning
    FROM prices
    LEFT JOIN price_tables AS tables_in USING (table_name)
    LEFT JOIN price_rows AS rows_in ON rows_in.table_name = prices.table_name AND rows_in.model = prices.model
),
pairs AS (
    SELECT log, line, file, unnest([
        {'field': 'source', 'expected': to_json(wanted_source), 'found': to_json(source)},
        {'field': 'input', 'expected': to_json(wanted_input), 'found': to_json(input)},
        {'field': 'cached_input', 'expected': to_json(wanted_cached_input), 'found': to_json(cached_input)},
        {'field': 'cache_write', 'expected': to_json(wanted_cache_write), 'found': to_json(cache_write)},
        {'field': 'output', 'expected': to_json(wanted_output), 'found': to_json(output)},
        {'field': 'reasoning', 'expected': to_json(wanted_reasoning), 'found': to_json(reasoning)}
    ], recursive := true)
    FROM stated WHERE known
),
above_0 AS (
    SELECT log, line, unnest([
        {'field': 'input', 'value': input}, {'field': 'output', 'value': output}
    ], recursive := true)
    FROM stated
)

SELECT log, line, 'B1' AS rule, 'model' AS field, 'a model of this log' AS expected, to_json(model)::VARCHAR AS found
FROM stated ANTI JOIN of_log USING (log, model)
UNION ALL
SELECT log, line, 'B1', 'table', 'a price table, ' || file, fault FROM stated WHERE fault IS NOT NULL
UNION ALL
SELECT log, line, 'B1', 'table_sha256', sha256 || ', the digest of ' || file, table_sha256
FROM stated WHERE sha256 <> table_sha256
UNION ALL
SELECT log, line, 'B1', 'date', wanted_date || ', the date of ' || file, date FROM stated WHERE wanted_date <> date
UNION ALL
SELECT log, line, 'B1', 'model', 'a model with a row in ' || file, 'no row of ' || to_json(model)
FROM stated WHERE fault IS NULL AND NOT known
UNION ALL
SELECT log, line, 'B1', field, coalesce(expected::VARCHAR, 'null') || ', as in ' || file,
    coalesce(found::VARCHAR, 'null')
FROM pairs WHERE expected IS DISTINCT FROM found
UNION ALL
SELECT log, line, 'B1', field, 'a price above 0', '0' FROM above_0 WHERE value = 0
