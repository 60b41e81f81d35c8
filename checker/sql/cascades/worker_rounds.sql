-- One row per worker and round of a finished game: what it submitted there, its true score, and whose plant it is (M1).
WITH
finished AS (
    SELECT log, seed, coalesce(cells.board, false) AS board
    FROM logs SEMI JOIN (
        SELECT log FROM closings GROUP BY log HAVING arg_min(event, line) = 'finish'
    ) AS closed USING (log) LEFT JOIN cells USING (cell)
),
sizes AS (SELECT workers, rounds FROM parameters),
workers AS (
    SELECT log, seed, board, rounds, unnest(range(1, workers + 1))::INTEGER AS agent FROM finished CROSS JOIN sizes
),
places AS (SELECT log, seed, board, agent, unnest(range(1, rounds + 2)) AS round FROM workers),
submitted AS (SELECT log, round, agent, arg_min({'is': submission}, line).is AS submission FROM actions GROUP BY ALL),
-- Two confederates never share a plant; if items.jsonl breaks that, the first one has it.
planted AS (SELECT seed, config, min(agent) AS plant FROM plants GROUP BY seed, config)

SELECT
    places.log, places.seed, board, agent, round, submission, true_scores.score,
    CASE WHEN board THEN plant END AS plant
FROM places LEFT JOIN submitted USING (log, round, agent)
LEFT JOIN true_scores ON true_scores.seed = places.seed AND true_scores.config = submission
LEFT JOIN planted ON planted.seed = places.seed AND planted.config = submission
