-- One row per registered Attacker: caves among the scored main duels that it attacked (R16), by name.
WITH attacks AS (SELECT * FROM attack_counts)

SELECT attacker, rate(k, n) AS rate FROM attacks ORDER BY attacker
