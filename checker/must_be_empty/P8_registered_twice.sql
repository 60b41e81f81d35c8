-- P8: each duel is registered by one run only.
WITH
runs AS (
    SELECT duels.log, min(registered_at) AS line, defender, phase, attacker, fact, repeat, round, among, logs.path
    FROM duels JOIN logs USING (log)
    GROUP BY duels.log, defender, phase, attacker, fact, repeat, round, among, logs.path
),
firsts AS (
    SELECT defender, phase, attacker, CASE WHEN phase = 'main' THEN fact END AS fact, repeat, round, among,
        min(path) AS path
    FROM runs GROUP BY ALL HAVING count(DISTINCT log) > 1
)

SELECT runs.log, runs.line, 'P8' AS rule, 'attackers, facts' AS field,
    'each duel is registered by one run only' AS expected,
    count(*) || ' duels of this run are registered by ' || firsts.path || ' too' AS found
FROM runs JOIN firsts ON runs.defender = firsts.defender AND runs.phase = firsts.phase
    AND runs.attacker = firsts.attacker AND (runs.phase = 'sudden_death' OR runs.fact = firsts.fact)
    AND runs.repeat = firsts.repeat AND runs.round = firsts.round
    AND runs.among IS NOT DISTINCT FROM firsts.among
WHERE runs.path <> firsts.path
GROUP BY runs.log, runs.line, firsts.path
