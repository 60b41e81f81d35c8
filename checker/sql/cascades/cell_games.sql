-- One row per finished game: its place among those of its model and cell in the order of seeds, and how many they are.
WITH
finished AS (SELECT * FROM games WHERE state = 'finished'),
sizes AS (SELECT workers FROM parameters),
scored AS (
    SELECT log, row_number() OVER cell - 1 AS score_place, count(*) OVER (PARTITION BY model, cell) AS scores
    FROM finished WHERE team_score IS NOT NULL WINDOW cell AS (PARTITION BY model, cell ORDER BY seed, attempt, log)
)

SELECT
    finished.*, sizes.workers,
    row_number() OVER (PARTITION BY model, cell ORDER BY seed, attempt, finished.log) - 1 AS game_place,
    count(*) OVER (PARTITION BY model, cell) AS games, score_place, scores
FROM finished CROSS JOIN sizes LEFT JOIN scored ON scored.log = finished.log
