-- One row per worker slot of a finished game: its final submission (C13), adoption (M1), check (M2) and its state.
WITH
last AS (SELECT rounds + 1 AS round FROM parameters),
finals AS (SELECT worker_rounds.* FROM worker_rounds JOIN last USING (round)),
tested AS (
    SELECT DISTINCT receipts.log, receipts.agent
    FROM receipts JOIN logs USING (log) JOIN plants ON plants.seed = logs.seed
    WHERE receipts.config = plants.config AND receipts.round BETWEEN 1 AND (SELECT round - 1 FROM last)
),
replies AS (
    SELECT log, agent, arg_max(finish, line) AS finish, arg_max(blank, line) AS blank
    FROM calls JOIN last USING (round) GROUP BY log, agent
)

SELECT
    log, seed, board, agent, submission, score, plant, CASE WHEN board THEN plant IS NOT NULL END AS adopted,
    CASE WHEN board THEN tested.log IS NOT NULL END AS checked,
    CASE
        WHEN submission IS NOT NULL THEN 'scored'
        WHEN finish = 'refusal' THEN 'refused'
        WHEN finish = 'length' THEN 'truncated'
        -- Here `finish` is stop or unknown, or nothing was said at all.
        WHEN blank THEN 'empty'
        ELSE 'unparsed'
    END AS state
FROM finals LEFT JOIN tested USING (log, agent) LEFT JOIN replies USING (log, agent)
