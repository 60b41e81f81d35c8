-- I3: `lo` ≤ `value` ≤ `hi`, within 0 to 1 (0 to 100 points); all three are null together.
WITH
rates_in AS (SELECT *, CASE WHEN kind = 'mean' THEN 100 ELSE 1 END AS top FROM rates),
places AS (
    SELECT
        file, line, model, field || '.lo' AS field,
        CASE WHEN value IS NULL THEN 'no interval' ELSE '0 <= lo <= ' || value || ' <= hi <= ' || top END AS expected,
        coalesce(lo::VARCHAR, 'null') || ' to ' || coalesce(hi::VARCHAR, 'null') AS found,
        CASE
            WHEN value IS NULL THEN lo IS NULL AND hi IS NULL
            ELSE lo >= 0 AND lo <= value + 1e-9 AND value <= hi + 1e-9 AND hi <= top
        END AS holds
    FROM rates_in
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
