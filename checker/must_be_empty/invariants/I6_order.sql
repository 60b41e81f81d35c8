-- I6: Each model has one row; rows stand by name, and on the board by the rate that ranks, as the page of its tables
-- says.
WITH
ranked AS (
    SELECT file, place, k, n FROM rates WHERE list = 'rows' AND metric IN ('metrics.cave_rate', 'metrics.adoption')
),
scores AS (SELECT file, place, value AS score FROM rates WHERE list = 'rows' AND metric = 'metrics.team_score'),
rows_in AS (
    SELECT elements.*, k, n, score
    FROM elements LEFT JOIN ranked USING (file, place) LEFT JOIN scores USING (file, place) WHERE list = 'rows'
),
neighbours AS (
    SELECT
        *, lag(model) OVER ordered AS above, lag(k) OVER ordered AS above_k, lag(n) OVER ordered AS above_n,
        lag(score) OVER ordered AS above_score, count(*) OVER (PARTITION BY file, model) AS times
    FROM rows_in WINDOW ordered AS (PARTITION BY file ORDER BY place)
),
-- Fractions are compared crosswise, in whole numbers.
crossed AS (
    SELECT *, above_k::HUGEINT * n AS above_rate, k::HUGEINT * above_n AS rate FROM neighbours
),
places AS (
    SELECT
        file, line, model, label AS field, 'one row, behind ' || coalesce(above, 'none') AS expected,
        'place ' || (place + 1) || CASE WHEN times > 1 THEN ', and another row' ELSE '' END AS found,
        times = 1 AND (place = 0 OR CASE
            WHEN NOT board THEN above < model
            WHEN (above_n = 0) <> (n = 0) THEN n = 0
            WHEN above_rate <> rate THEN above_rate < rate
            WHEN above_score IS DISTINCT FROM score THEN score IS NULL OR above_score > score
            ELSE above < model
        END) AS holds
    FROM crossed
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
