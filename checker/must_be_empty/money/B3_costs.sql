-- B3: a cost is what usage and price give, in exact integers; `unpriced` without a price, `unsettled` where none can
-- be known.
WITH
outcomes_in AS (SELECT * FROM priced_outcomes),
parts AS (
    SELECT
        *, coalesce(cached_input, 0) AS cached, coalesce(cache_write, 0) AS written, coalesce(reasoning, 0) AS reasoned
    FROM outcomes_in
),
known AS (
    SELECT *, coalesce(cached + written <= input AND reasoned <= output, false) AS counted FROM parts
),
-- Tokens and prices have up to 53 bits, so their products need more than 64, and less than 128.
costs AS (
    SELECT
        *,
        CASE WHEN counted THEN
            (input - cached - written)::HUGEINT * input_price + cached::HUGEINT * cached_price
            + written::HUGEINT * write_price + (output - reasoned)::HUGEINT * output_price
            + reasoned::HUGEINT * reasoning_price
        END AS millionths
    FROM known
),
expected AS (
    SELECT
        *,
        CASE
            WHEN price_line IS NULL THEN 'unpriced'
            WHEN counted THEN ((millionths + 999999) // 1000000)::VARCHAR
            WHEN NOT usage_there AND kind IN ('config', 'auth', 'rate_limit', 'overloaded', 'connection') THEN '0'
            ELSE 'unsettled'
        END AS expected
    FROM costs
)

SELECT
    log, line, 'B3' AS rule, 'cost' AS field,
    expected || CASE
        WHEN price_line IS NULL THEN ': no price is in force'
        WHEN expected = 'unsettled' THEN ': its usage does not tell'
        ELSE ', by the price of line ' || price_line
    END AS expected,
    cost AS found
FROM expected WHERE cost <> expected
