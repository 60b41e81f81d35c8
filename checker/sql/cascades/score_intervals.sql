-- One row per model and cell with a team score: the bootstrap interval of their mean, in points (M4).
WITH
-- SQL counts places from 1.
places AS (SELECT n, list_transform(picks, lambda pick: pick + 1) AS picks FROM resamples),
values_in AS (
    SELECT model, cell, any_value(scores) AS n, list(team_score ORDER BY score_place) AS scores
    FROM cell_games WHERE scores IS NOT NULL GROUP BY model, cell
),
means AS (SELECT model, cell, list_avg(list_select(scores, picks)) AS mean FROM values_in JOIN places USING (n))

SELECT model, cell, quantile_cont(mean, 0.025) AS lo, quantile_cont(mean, 0.975) AS hi
FROM means GROUP BY model, cell
