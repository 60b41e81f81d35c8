-- One row per turn that a game has or must have had (G2): every agent in every round, up to where the log goes.
WITH
logs_in AS (SELECT log FROM logs),
parameters_in AS (SELECT team, rounds FROM parameters),
-- An abort may stand anywhere: what is missing before it has not happened.
ends AS (SELECT log, max(step) AS step FROM steps WHERE event <> 'abort' GROUP BY log),
turns AS (
    SELECT log, unnest(range(1, rounds + 2)) AS round, team FROM logs_in CROSS JOIN parameters_in
),
agents AS (SELECT log, round, unnest(range(1, team + 1))::INTEGER AS agent FROM turns)

SELECT log, round, agent, step(round, 1, agent, 1) AS step
FROM agents JOIN ends USING (log) WHERE step(round, 1, agent, 1) <= ends.step
