-- What the money that the checker keeps line by line adds up to.
UPDATE line_figures SET
    kept = sums.kept, input = sums.input, cached_input = sums.cached_input, cache_write = sums.cache_write,
    output = sums.output, reasoning = sums.reasoning, cost = sums.cost
FROM (
    SELECT
        model, count(*) AS kept, sum(input) AS input, sum(cached_input) AS cached_input,
        sum(cache_write) AS cache_write, sum(output) AS output, sum(reasoning) AS reasoning,
        coalesce(sum(TRY_CAST(cost AS BIGINT)), 0) AS cost
    FROM outcomes GROUP BY model
) AS sums
WHERE line_figures.model = sums.model;
