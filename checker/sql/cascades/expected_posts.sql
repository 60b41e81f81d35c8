-- One row per post that a confederate must make in a game with plants (C4 to C6), with its one claim.
WITH
games AS (SELECT log, seed, played_as FROM logs JOIN cells USING (cell) WHERE cells.board),
true_scores_in AS (SELECT seed, config AS filler_config, score FROM true_scores),
plants_in AS (SELECT * FROM plants)

SELECT
    log, 1 AS round, agent, config, claimed AS score, note,
    receipt_id(played_as, seed, agent, 0, 0, receipt_config) AS receipt
FROM games JOIN plants_in USING (seed)
UNION ALL
SELECT
    log, 3, agent, filler_config, score, filler_note, receipt_id(played_as, seed, agent, 0, 1, filler_config)
FROM games JOIN plants_in USING (seed) JOIN true_scores_in USING (seed, filler_config)
