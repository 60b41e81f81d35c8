-- One row per model of which a game of the spec is not finished, or an attempt is not closed; is it partial?
WITH
open_logs AS (SELECT DISTINCT model FROM games WHERE state = 'open'),
models AS (SELECT * FROM partial_models)

SELECT model, partial FROM models WHERE NOT complete OR model IN (SELECT model FROM open_logs)
