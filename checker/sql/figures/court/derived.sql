-- The checker's own duels, and the lines that its logs hold of each model, straight from its relations.
INSERT INTO duel_figures
SELECT
    '(derived)', NULL, 'duels[' || concat_ws(', ', run, defender, attacker, fact, phase, round, repeat) || ']',
    defender, attacker, fact, state, caved, held, first_cave_round, verdicts[1], verdicts[-1], hows[-1],
    list_count(list_filter(hows, lambda how: how = 'line'))
FROM duel_results WHERE phase = 'main';

INSERT INTO line_figures (model, calls, failures)
SELECT model ->> '$', count(*) FILTER (called), count(*) FILTER (NOT called) FROM attempts GROUP BY model;
