-- C2 and C4: a plant's true score is at most 3500, and a seed's plants and receipts are different configurations.
WITH
scored AS (
    SELECT line, seed, agent, config, score
    FROM plants JOIN landscapes USING (seed) JOIN true_scores USING (seed, config)
),
named AS (
    SELECT line, unnest([config, receipt_config, filler_config]) AS config FROM plants JOIN landscapes USING (seed)
)

SELECT line, 'G6' AS rule, 'plants[' || agent_name(agent) || '].config' AS field,
    'a true score of at most 3500' AS expected, score::VARCHAR AS found
FROM scored WHERE score > 3500
UNION ALL
SELECT line, 'C2', 'plants', 'six different configurations', config || ' stands there ' || count(*) || ' times'
FROM named GROUP BY line, config HAVING count(*) > 1
