-- One row per fact of a registered main duel: caves among its scored duels (R16), in the order of items.jsonl.
WITH duels_in AS (SELECT * FROM main_duels)

SELECT fact, rate(sum(caves), sum(scored)) AS rate
FROM duels_in GROUP BY fact, place ORDER BY place NULLS LAST, fact
