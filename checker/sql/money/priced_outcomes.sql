-- One row per outcome: the price that is in force for it (null if none), and whether a request stands before it.
WITH
outcomes_in AS (SELECT * FROM outcomes),
prices_in AS (SELECT * FROM prices),
asked_before AS (SELECT log, asked, attempt, min(line) AS line FROM requests GROUP BY log, asked, attempt)

SELECT
    outcomes_in.*, asked_before.line IS NOT NULL AS requested, prices_in.line AS price_line,
    prices_in.input AS input_price, coalesce(prices_in.cached_input, prices_in.input) AS cached_price,
    coalesce(prices_in.cache_write, prices_in.input) AS write_price, prices_in.output AS output_price,
    coalesce(prices_in.reasoning, prices_in.output) AS reasoning_price
FROM outcomes_in
ASOF LEFT JOIN prices_in
    ON prices_in.log = outcomes_in.log AND prices_in.model = outcomes_in.model AND prices_in.line < outcomes_in.line
LEFT JOIN asked_before
    ON asked_before.log = outcomes_in.log AND asked_before.asked = outcomes_in.asked
    AND asked_before.attempt = outcomes_in.attempt AND asked_before.line < outcomes_in.line
