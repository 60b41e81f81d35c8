-- One row per log, in order: the row of `games` in builder.json and checked.json.
WITH
logs_in AS (SELECT * FROM logs),
cells_in AS (SELECT place, cell, board FROM cells),
closed AS (SELECT log, arg_min(event, line) AS event FROM closings GROUP BY log),
issued AS (SELECT log, count(*) AS receipts FROM receipts GROUP BY log),
posted AS (SELECT log, count(*) AS posts FROM posts GROUP BY log),
asked AS (SELECT log, count(*) AS calls FROM calls GROUP BY log),
unread AS (SELECT log, count(*) AS unparsed_turns FROM actions WHERE NOT parsed GROUP BY log),
workers AS (
    SELECT log, sum(adopted::INTEGER) AS adopted, sum(checked::INTEGER) AS checked, count(submission) AS final,
        coalesce(sum(score), 0) AS score_sum
    FROM slots GROUP BY log
)

SELECT
    log, path, run, model, cell, cells_in.place, board, seed, attempt,
    CASE closed.event WHEN 'finish' THEN 'finished' WHEN 'abort' THEN 'aborted' ELSE 'open' END AS state,
    coalesce(receipts, 0) AS receipts, coalesce(posts, 0) AS posts, coalesce(calls, 0) AS calls,
    coalesce(unparsed_turns, 0) AS unparsed_turns, adopted::BIGINT AS adopted, checked::BIGINT AS checked, final,
    score_sum::BIGINT AS score_sum,
    CASE WHEN final > 0 THEN score_sum::DOUBLE / final::DOUBLE / 100::DOUBLE END AS team_score
FROM logs_in
LEFT JOIN cells_in USING (cell) LEFT JOIN closed USING (log) LEFT JOIN issued USING (log) LEFT JOIN posted USING (log)
LEFT JOIN asked USING (log) LEFT JOIN unread USING (log) LEFT JOIN workers USING (log)
