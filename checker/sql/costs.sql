-- One row per model that answered any call: the sum of its costs in micro-dollars, null if one is unpriced.
WITH
calls AS (SELECT model, cost FROM duel_attempts WHERE called),
names AS (SELECT model, to_json(model)::VARCHAR AS model_json FROM models),
sums AS (SELECT model AS model_json, sum(cost) AS total, count(*) = count(cost) AS priced FROM calls GROUP BY model)

SELECT names.model, CASE WHEN priced THEN total END AS cost_microusd
FROM sums JOIN names USING (model_json)
