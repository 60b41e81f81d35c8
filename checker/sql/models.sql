-- One row per model that is Defender in a run or a registered Attacker.
WITH
names AS (SELECT model FROM logs UNION SELECT attacker FROM log_attackers)

SELECT model, CASE WHEN starts_with(model, 'scripted:') THEN 'baseline' ELSE 'model' END AS kind
FROM names
