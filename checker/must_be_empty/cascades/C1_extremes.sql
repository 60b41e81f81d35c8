-- C1: low and high of items.jsonl are the least and greatest raw over all 10^6 configurations, by brute force.
SELECT line, 'C1' AS rule, field, expected::VARCHAR AS expected, found::VARCHAR AS found
FROM (
    SELECT line, unnest([
        {'field': 'low', 'expected': extremes.low, 'found': landscapes.low},
        {'field': 'high', 'expected': extremes.high, 'found': landscapes.high}
    ], recursive := true)
    FROM landscapes JOIN extremes USING (seed)
)
WHERE expected <> found
