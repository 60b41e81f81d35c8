-- One row per model with a log and place of the spec (cell, seed): what has come of it.
WITH
names AS (SELECT DISTINCT model FROM logs),
wanted AS (SELECT cells.place, cell, seeds.place AS seed_place, seed FROM cells CROSS JOIN seeds),
states AS (
    SELECT
        model, cell, seed, bool_or(state = 'finished') AS finished, bool_and(state = 'aborted') AS failed,
        -- Where a log breaks G1 there are several; the first one stands in the ledger.
        arg_min(log, (attempt, log)) FILTER (state = 'finished') AS log
    FROM games GROUP BY model, cell, seed
)

SELECT names.model, wanted.*, coalesce(finished, false) AS finished, coalesce(failed, false) AS failed, log
FROM names CROSS JOIN wanted LEFT JOIN states USING (model, cell, seed)
