-- G5: a receipt's score is the true score of its configuration, its id that of C8, and no id is issued twice.
WITH
issued AS (SELECT round_receipts.*, true_scores.score AS true_score,
    receipt_id(played_as, seed, agent, round, place, config) AS id,
    min(line) OVER (PARTITION BY log, receipt) AS first_line
    FROM round_receipts LEFT JOIN true_scores USING (seed, config))

SELECT log, line, 'G5' AS rule, 'score' AS field, true_score::VARCHAR AS expected, score::VARCHAR AS found
FROM issued WHERE score <> true_score
UNION ALL
SELECT log, line, 'G5', 'receipt', id, receipt FROM issued WHERE receipt <> id
UNION ALL
SELECT log, line, 'G5', 'receipt', 'an id of its own', receipt || ' was issued at line ' || first_line
FROM issued WHERE line > first_line
