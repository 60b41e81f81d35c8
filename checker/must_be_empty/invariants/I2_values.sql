-- I2: The `value` of a rate is exactly the `k`/`n` that stands beside it, not rounded, and null exactly where `n` is 0.
WITH
rates_in AS (
    SELECT *, k::DOUBLE / nullif(n, 0)::DOUBLE AS quotient, round(value * n) AS nearest FROM rates WHERE kind <> 'mean'
),
places AS (
    SELECT
        file, line, model, field || '.value' AS field, coalesce(quotient::VARCHAR, 'null') AS expected,
        -- A value that was rounded or mistyped tells which k it is of, or that it is of none.
        coalesce(value::VARCHAR, 'null') || CASE
            WHEN n = 0 OR value IS NULL OR nearest = k THEN ''
            WHEN abs(nearest / n - value) <= 1e-9 THEN ', which is ' || nearest::BIGINT || '/' || n
            ELSE ', which is no k/' || n
        END AS found,
        CASE WHEN n = 0 THEN value IS NULL ELSE abs(value - quotient) <= tolerance END AS holds
    FROM rates_in
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
