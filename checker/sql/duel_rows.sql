-- One row per registered duel, in order: the row of `duels` in builder.json and checked.json, as JSON text.
WITH results AS (SELECT * FROM duel_results)

SELECT defender, to_json({
    'run': run, 'defender': defender, 'attacker': attacker, 'fact': fact, 'phase': phase, 'round': round,
    'repeat': repeat, 'state': state, 'answers': answers, 'hows': hows, 'fallbacks': fallbacks, 'verdicts': verdicts,
    'caved': caved, 'held': held, 'first_cave_round': first_cave_round
})::VARCHAR AS row
FROM results ORDER BY duel
