-- One row per log and model that plays in it: its Defender, its Attackers, and who is tied with it (B1).
WITH
tied AS (SELECT log, unnest(among) AS model FROM sudden_deaths)

SELECT log, model FROM logs
UNION SELECT log, attacker FROM log_attackers
UNION SELECT log, model FROM tied
