-- I7: `cost_usd`, `cost_per_run_microusd` and `cost_per_1000_calls_microusd` are `cost_microusd` / 10⁶, / a whole
-- number of runs and · 1000 / `calls`; what has no cost has none of them.
WITH
costs AS (
    SELECT
        file, board, line, model, label, whole_at(element, '$.use.calls') AS calls,
        whole_at(element, '$.use.failures') AS failures, whole_at(element, '$.use.cost_microusd') AS cost,
        whole_at(element, '$.use.unsettled_microusd') AS unsettled, float_at(element, '$.cost_usd') AS usd,
        float_at(element, '$.use.cost_per_run_microusd') AS a_run,
        float_at(element, '$.use.cost_per_1000_calls_microusd') AS a_thousand
    FROM elements WHERE list = 'rows'
),
runs AS (SELECT *, greatest(1, round(coalesce(cost / nullif(a_run, 0), 1))) AS runs FROM costs),
wanted AS (
    SELECT file, line, model, label || '.cost_usd' AS field, cost / 1e6 AS expected, usd AS found FROM runs WHERE board
    UNION ALL
    SELECT file, line, model, label || '.use.cost_per_1000_calls_microusd', 1000.0::DOUBLE * cost / nullif(calls, 0),
        a_thousand
    FROM runs
    UNION ALL
    SELECT
        file, line, model, label || '.use.cost_per_run_microusd',
        CASE WHEN calls + failures >= runs THEN cost / runs END, a_run
    FROM runs
    UNION ALL
    SELECT file, line, model, label || '.use.unsettled_microusd',
        CASE WHEN cost IS NOT NULL THEN greatest(0, unsettled) END, unsettled
    FROM runs
),
places AS (
    SELECT
        file, line, model, field, coalesce(expected::VARCHAR, 'null') AS expected,
        coalesce(found::VARCHAR, 'null') AS found,
        CASE WHEN expected IS NULL THEN found IS NULL ELSE nearly(found, expected) END AS holds
    FROM wanted
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
