-- One row per registered Attacker: its scored main duels and the caves among them (R12).
WITH
attackers AS (SELECT DISTINCT attacker FROM log_attackers),
duels_in AS (SELECT * FROM main_duels)

SELECT attackers.attacker, coalesce(sum(scored), 0) AS n, coalesce(sum(caves), 0) AS k
FROM attackers LEFT JOIN duels_in USING (attacker)
GROUP BY attackers.attacker
