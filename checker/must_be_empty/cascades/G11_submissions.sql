-- G11: an action's score is the true score of its submission, null without one.
WITH
seeds_of_logs AS (SELECT log, seed, seed IN (SELECT seed FROM landscapes) AS known FROM logs),
scored AS (
    SELECT actions.log, actions.line, actions.score, true_scores.score AS expected
    FROM actions JOIN seeds_of_logs USING (log)
    LEFT JOIN true_scores ON true_scores.seed = seeds_of_logs.seed AND true_scores.config = actions.submission
    WHERE known OR submission IS NULL
)

SELECT log, line, 'G11' AS rule, 'score' AS field, coalesce(expected::VARCHAR, 'null') AS expected,
    coalesce(score::VARCHAR, 'null') AS found
FROM scored WHERE score IS DISTINCT FROM expected
