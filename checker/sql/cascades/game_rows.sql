-- One row per log, in order, as tables-cascades.md lists it.
WITH
games_in AS (SELECT * FROM games)

SELECT
    run, model, cell, seed, attempt, state, receipts, posts, calls, unparsed_turns, adopted, checked, final, score_sum,
    team_score
FROM games_in ORDER BY model, place NULLS LAST, cell, games_in.seed, games_in.attempt, log
