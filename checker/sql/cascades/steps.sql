-- One row per sound line but start, price and budget: its place in the order of a game (G2).
WITH
last AS (SELECT rounds + 1 AS round FROM parameters),
placed AS (
    SELECT log, line, 'call' AS event, round, agent, step(round, 1, agent, 0) AS step FROM calls
    UNION ALL SELECT log, line, 'request', round, agent, step(round, 1, agent, 0) FROM requested
    UNION ALL SELECT log, line, 'failure', round, agent, step(round, 1, agent, 0) FROM failures
    UNION ALL SELECT log, line, 'action', round, agent, step(round, 1, agent, 1) FROM actions
    UNION ALL SELECT log, line, 'receipt', round, agent, step(round, CASE WHEN round = 0 THEN 0 ELSE 2 END, agent, 0)
    FROM receipts
    UNION ALL SELECT log, line, 'post', round, agent, step(round, 3, agent, 0) FROM posts
    UNION ALL SELECT log, line, event, NULL, NULL, 999999 FROM closings
)

SELECT * FROM placed
