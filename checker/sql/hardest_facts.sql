-- One row per fact with the lowest rate by exact k/n (R18): no other fact has a smaller fraction.
WITH
facts AS (
    SELECT fact, place, sum(caves)::HUGEINT AS k, sum(scored)::HUGEINT AS n
    FROM main_duels GROUP BY fact, place HAVING sum(scored) > 0
)

SELECT fact
FROM facts AS this
WHERE NOT EXISTS (SELECT 1 FROM facts AS other WHERE other.k * this.n < this.k * other.n)
ORDER BY place NULLS LAST, fact
