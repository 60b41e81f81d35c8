-- One row per worker slot of a finished game, in order, as tables-cascades.md lists it.
WITH
slots_in AS (SELECT * FROM slots),
games_in AS (SELECT log, run, model, cell, place, attempt FROM games)

SELECT
    run, model, cell, seed, agent_name(agent) AS agent, submission::INTEGER[] AS submission, score, adopted,
    agent_name(plant) AS plant, checked
FROM slots_in JOIN games_in USING (log)
ORDER BY model, place NULLS LAST, cell, seed, attempt, log, slots_in.agent
