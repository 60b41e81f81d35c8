-- One row per model, cell and round with a finished game: the row of `rounds` in builder.json and checked.json.
WITH
workers AS (SELECT worker_rounds.*, model, cell, place FROM worker_rounds JOIN games USING (log)),
counts AS (
    SELECT model, cell, place, round, any_value(workers.board) AS board, count(plant) AS adopted, count(*) AS slots,
        avg(score)::DOUBLE / 100::DOUBLE AS mean_score
    FROM workers GROUP BY model, cell, place, round
)

SELECT model, cell, round, CASE WHEN board THEN rate(adopted, slots) END AS adoption, mean_score
FROM counts ORDER BY model, place, round
