-- One row per Defender and Attacker with a registered main duel (R16), by names.
WITH duels_in AS (SELECT * FROM main_duels)

SELECT defender, attacker, rate(sum(caves), sum(scored)) AS rate
FROM duels_in GROUP BY defender, attacker ORDER BY defender, attacker
