-- I4: `lo` < `hi` in a Wilson interval, and each end x solves n·(k/n − x)² = z²·x·(1 − x).
WITH
rates_in AS (SELECT *, k::DOUBLE / n::DOUBLE AS p FROM rates WHERE kind = 'wilson' AND n > 0 AND k BETWEEN 0 AND n),
squared AS (SELECT 3.841458820694124::DOUBLE AS z2),
ends AS (
    SELECT
        *, n * (p - lo) * (p - lo) - z2 * lo * (1 - lo) AS at_lo, n * (p - hi) * (p - hi) - z2 * hi * (1 - hi) AS at_hi,
        -- How much either side moves when an end is off by the tolerance of floats.
        (2 * n + 2 * z2) * 1e-9 AS most
    FROM rates_in CROSS JOIN squared
),
places AS (
    SELECT
        file, line, model, field || '.lo' AS field, 'the 95% Wilson interval of ' || k || '/' || n AS expected,
        coalesce(lo::VARCHAR, 'null') || ' to ' || coalesce(hi::VARCHAR, 'null') AS found,
        lo < hi AND abs(at_lo) <= most AND abs(at_hi) <= most AS holds
    FROM ends
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
