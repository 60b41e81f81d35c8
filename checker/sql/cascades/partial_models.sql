-- One row per model with a log: whether nothing is missing, and whether what is missing are whole seeds, so that what
-- is there are the lowest seeds of both boards and, unless empty, of isolated (C15; statuses of tables-cascades.md).
WITH
places_in AS (SELECT * FROM places),
there AS (
    SELECT
        model, cell, list(seed_place ORDER BY seed_place) FILTER (finished) AS seeds,
        count(*) FILTER (finished) AS n, count(*) AS wanted
    FROM places_in GROUP BY model, cell
),
-- The lowest n seeds have the places 0 to n - 1.
lowest AS (SELECT *, n = 0 OR seeds[-1] = n - 1 AS lowest FROM there),
cells_of AS (
    SELECT
        model, bool_and(n = wanted) AS complete, bool_and(lowest) AS lowest, max(n) AS seeds,
        bool_and(n = 0 AND cell = 'isolated' OR n > 0) AS boards,
        count(DISTINCT n) FILTER (n > 0) AS sizes
    FROM lowest GROUP BY model
)

SELECT model, complete, NOT complete AND lowest AND boards AND seeds > 0 AND sizes = 1 AS partial FROM cells_of
