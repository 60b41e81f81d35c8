-- One row per model that answered any call: the sum of its costs in micro-dollars, null if one is unpriced.
WITH calls_in AS (SELECT model, cost FROM calls JOIN logs USING (log))

SELECT model, CASE WHEN count(*) = count(cost) THEN sum(cost) END AS cost_microusd FROM calls_in GROUP BY model
