-- The checker's own games and slots, and the lines that its logs hold of each model, straight from its relations.
INSERT INTO game_figures
SELECT
    '(derived)', NULL, 'games[' || concat_ws(', ', run, model) || ']', model, run, cell, seed, state, calls, adopted,
    checked, final, score_sum, team_score
FROM games;

INSERT INTO slot_figures
SELECT
    '(derived)', NULL, 'slots[' || concat_ws(', ', run, model, agent_name(agent)) || ']', model, run, slots.seed,
    submission IS NOT NULL, score, slots.adopted, agent_name(plant), slots.checked
FROM slots JOIN games USING (log);

INSERT INTO line_figures (model, calls, failures)
WITH
lines AS (SELECT log, true AS called FROM calls UNION ALL SELECT log, false FROM failures)

SELECT model, count(*) FILTER (called), count(*) FILTER (NOT called)
FROM lines JOIN logs USING (log) GROUP BY model;
