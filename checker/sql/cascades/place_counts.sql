-- One row per model with a log and cell of the spec: the number of its finished seeds.
WITH places_in AS (SELECT * FROM places)

SELECT model, cell, count(*) FILTER (finished) AS seeds FROM places_in GROUP BY model, cell, place ORDER BY model, place
