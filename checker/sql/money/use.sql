-- One row per model: what it was asked and what it cost, over every call and failure of any log (`use` of tables.md).
WITH
names AS (
    SELECT
        model, amended, starts_with(model, 'ollama:') AS tagged,
        CASE WHEN contains(model, ':') THEN substr(model, strpos(model, ':') + 1) ELSE '' END AS name,
        regexp_replace(name, ':latest$', '') AS bare
    FROM model_names
),
runs AS (SELECT log, run FROM logs),
-- What was asked for by any of its names: without the route and whole; of the route ollama without the tag that stands
-- for none and with it.
used AS (
    SELECT
        uses.*, runs.run, CASE
            WHEN tagged THEN [bare, bare || ':latest', 'ollama:' || bare, 'ollama:' || bare || ':latest']
            ELSE [name, model]
        END AS asked_for
    FROM uses JOIN runs USING (log) JOIN names USING (model)
),
counts AS (
    SELECT
        model, coalesce(sum(lines) FILTER (called), 0) AS calls,
        coalesce(sum(lines) FILTER (NOT called), 0) AS failures,
        sum(input) AS input, sum(inputs) FILTER (called) AS inputs,
        sum(cached_input) AS cached_input, sum(cached_inputs) FILTER (called) AS cached_inputs,
        sum(cache_write) AS cache_write, sum(cache_writes) FILTER (called) AS cache_writes,
        sum(output) AS output, sum(outputs) FILTER (called) AS outputs,
        sum(reasoning) AS reasoning, sum(reasonings) FILTER (called) AS reasonings,
        coalesce(sum(cost), 0) AS cost, sum(unpriced) AS unpriced, count(DISTINCT run) AS runs,
        list(DISTINCT served ORDER BY served) FILTER (served IS NOT NULL) AS served,
        list(DISTINCT fingerprint ORDER BY fingerprint) FILTER (fingerprint IS NOT NULL) AS fingerprints,
        list(DISTINCT provider ORDER BY provider) FILTER (provider IS NOT NULL) AS providers,
        bool_or(NOT list_contains(asked_for, served)) FILTER (served IS NOT NULL) AS served_differs
    FROM used GROUP BY model
),
-- What may still be owed: the reserve of each request whose cost is not known.
owed AS (
    SELECT model, sum(reserve) AS reserve FROM request_outcomes WHERE cost IS NULL OR cost = 'unsettled' GROUP BY model
),
priced AS (
    SELECT
        names.model, amended, coalesce(calls, 0) AS calls, coalesce(failures, 0) AS failures, counts.* EXCLUDE (
            model, calls, failures, cost
        ), CASE WHEN calls + failures > 0 AND unpriced = 0 THEN cost END AS cost, coalesce(owed.reserve, 0) AS owed
    FROM names LEFT JOIN counts USING (model) LEFT JOIN owed USING (model)
)

SELECT
    model,
    {
        'calls': calls::BIGINT, 'failures': failures::BIGINT,
        'input': CASE WHEN calls > 0 AND inputs = calls THEN input::HUGEINT END,
        'cached_input': CASE WHEN calls > 0 AND cached_inputs = calls THEN cached_input::HUGEINT END,
        'cache_write': CASE WHEN calls > 0 AND cache_writes = calls THEN cache_write::HUGEINT END,
        'output': CASE WHEN calls > 0 AND outputs = calls THEN output::HUGEINT END,
        'reasoning': CASE WHEN calls > 0 AND reasonings = calls THEN reasoning::HUGEINT END,
        'cost_microusd': cost::HUGEINT, 'unsettled_microusd': CASE WHEN cost IS NOT NULL THEN owed::HUGEINT END,
        'cost_per_run_microusd': cost::DOUBLE / runs::DOUBLE,
        'cost_per_1000_calls_microusd': CASE WHEN calls > 0 THEN (1000 * cost)::DOUBLE / calls::DOUBLE END,
        'served': coalesce(served, []), 'fingerprints': coalesce(fingerprints, []),
        'providers': coalesce(providers, []), 'served_differs': coalesce(served_differs, false),
        'settings_differ': amended
    } AS "use"
FROM priced
