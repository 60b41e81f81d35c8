-- One row per Defender and fact with a registered main duel (R16), by name and in the order of items.jsonl.
WITH duels_in AS (SELECT * FROM main_duels)

SELECT defender, fact, rate(sum(caves), sum(scored)) AS rate
FROM duels_in GROUP BY defender, fact, place ORDER BY defender, place NULLS LAST, fact
