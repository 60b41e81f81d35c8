-- One row per model and cell with a board: the bootstrap interval of adoption over its games (M5).
WITH
-- SQL counts places from 1.
places AS (SELECT n, list_transform(picks, lambda pick: pick + 1) AS picks FROM resamples),
values_in AS (
    SELECT
        model, cell, any_value(games) AS n, list(adopted ORDER BY game_place) AS adopted, any_value(workers) AS workers
    FROM cell_games WHERE board GROUP BY model, cell
),
-- Every game has as many worker slots as every other.
shares AS (
    SELECT model, cell, list_sum(list_select(adopted, picks))::DOUBLE / (n * workers)::DOUBLE AS share
    FROM values_in JOIN places USING (n)
)

SELECT model, cell, quantile_cont(share, 0.025) AS lo, quantile_cont(share, 0.975) AS hi
FROM shares GROUP BY model, cell
