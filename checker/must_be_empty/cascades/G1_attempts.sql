-- G1: an attempt after the first has an aborted log of the one before beside it; each (model, cell, seed) has at most
-- one finished game.
WITH
closed AS (SELECT log, arg_min(event, line) AS event FROM closings GROUP BY log),
attempts AS (SELECT logs.*, coalesce(closed.event, 'open') AS state FROM logs LEFT JOIN closed USING (log)),
before AS (
    SELECT this.log, this.attempt, any_value(other.state) AS state
    FROM attempts AS this LEFT JOIN attempts AS other
        ON other.model = this.model AND other.cell = this.cell AND other.seed = this.seed
        AND other.attempt = this.attempt - 1
    WHERE this.attempt > 1 GROUP BY this.log, this.attempt
),
finished AS (
    SELECT log, row_number() OVER (PARTITION BY model, cell, seed ORDER BY attempt, log) AS nth
    FROM attempts WHERE state = 'finish'
)

SELECT log, 1 AS line, 'G1' AS rule, 'attempt' AS field,
    'an aborted attempt ' || (attempt - 1) || ' beside it' AS expected,
    CASE state WHEN 'finish' THEN 'that attempt is finished' WHEN 'open' THEN 'that attempt is not closed'
        ELSE 'there is no such log' END AS found
FROM before WHERE state IS DISTINCT FROM 'abort'
UNION ALL
SELECT log, 1, 'G1', 'attempt', 'one finished game for each model, cell and seed', 'another one'
FROM finished WHERE nth > 1
