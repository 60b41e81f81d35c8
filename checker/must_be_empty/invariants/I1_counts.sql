-- I1: `k` and `n` of a rate are whole numbers with 0 ≤ `k` ≤ `n`; of a mean there is no `k`.
WITH
rates_in AS (SELECT * FROM rates),
places AS (
    SELECT
        file, line, model, field || '.k' AS field,
        CASE WHEN kind = 'mean' THEN 'null, of 0 or more' ELSE '0 to n' END AS expected,
        coalesce(k::VARCHAR, 'null') || ' of ' || coalesce(n::VARCHAR, 'null') AS found,
        n >= 0 AND CASE WHEN kind = 'mean' THEN k IS NULL ELSE k BETWEEN 0 AND n END AS holds
    FROM rates_in
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
