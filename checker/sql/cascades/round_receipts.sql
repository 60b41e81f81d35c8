-- One row per receipt, with its place among those of its agent and round, and whether it is a confederate's own (C8).
WITH
logs_in AS (SELECT log, seed, played_as, coalesce(cells.board, false) AS board FROM logs LEFT JOIN cells USING (cell)),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY log, round, agent ORDER BY line) - 1 AS place FROM receipts
)

SELECT placed.*, seed, played_as, board AND round = 0 AND agent > (SELECT team FROM parameters) AS confederate
FROM placed JOIN logs_in USING (log)
