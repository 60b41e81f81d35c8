-- One row per landscape: its least and greatest raw over all 10^6 configurations, by brute force (C1).
WITH
digits AS (SELECT unnest(range(10))::INTEGER AS v),
terms_in AS (SELECT * FROM terms),
-- A thousand settings of knobs 0 to 2, a hundred of knobs 3 and 4; the ten values of knob 5 are ten columns.
triples AS (SELECT x.v AS x, y.v AS y, z.v AS z FROM digits AS x, digits AS y, digits AS z),
firsts AS (SELECT x, y, z, unnest([0, 1, 2]) AS knob, unnest([x, y, z]) AS v FROM triples),
lasts AS (SELECT x.v AS x, y.v AS y, unnest([3, 4]) AS knob, unnest([x.v, y.v]) AS v FROM digits AS x, digits AS y),

-- What knobs 0 to 2 give by themselves, and together with each value of knobs 3, 4 and 5.
first_sums AS (
    SELECT seed, x, y, z, sum(points)::INTEGER AS points
    FROM firsts AS one JOIN firsts AS other USING (x, y, z)
    JOIN terms_in ON a = one.knob AND va = one.v AND b = other.knob AND vb = other.v
    GROUP BY ALL
),
first_bridges AS (
    SELECT seed, x, y, z, b, vb, sum(points)::INTEGER AS points
    FROM firsts JOIN terms_in ON a = knob AND va = v WHERE b >= 3 GROUP BY ALL
),
first_tables AS (
    SELECT
        seed, x, y, z, any_value(first_sums.points) AS points,
        list(first_bridges.points ORDER BY vb) FILTER (b = 3) AS knob_3,
        list(first_bridges.points ORDER BY vb) FILTER (b = 4) AS knob_4,
        list(first_bridges.points ORDER BY vb) FILTER (b = 5) AS knob_5
    FROM first_sums LEFT JOIN first_bridges USING (seed, x, y, z) GROUP BY seed, x, y, z
),
-- What knobs 3 and 4 give by themselves, and each value of knob 5 by itself and together with them.
last_sums AS (
    SELECT seed, x, y, sum(points)::INTEGER AS points
    FROM lasts AS one JOIN lasts AS other USING (x, y)
    JOIN terms_in ON a = one.knob AND va = one.v AND b = other.knob AND vb = other.v
    GROUP BY ALL
),
last_bridges AS (
    SELECT seed, x, y, vb, sum(points)::INTEGER AS points FROM (
        SELECT seed, x, y, vb, points FROM lasts JOIN terms_in ON a = knob AND va = v WHERE b = 5
        UNION ALL
        SELECT seed, x.v, y.v, vb, points FROM terms_in CROSS JOIN digits AS x CROSS JOIN digits AS y WHERE a = 5
    ) GROUP BY ALL
),
last_tables AS (
    SELECT seed, x, y, any_value(last_sums.points) AS points, list(last_bridges.points ORDER BY vb) AS knob_5
    FROM last_sums JOIN last_bridges USING (seed, x, y) GROUP BY seed, x, y
),
one AS (
    SELECT
        seed, points, knob_3, knob_4, coalesce(knob_5[1], 0) AS v0, coalesce(knob_5[2], 0) AS v1,
        coalesce(knob_5[3], 0) AS v2, coalesce(knob_5[4], 0) AS v3, coalesce(knob_5[5], 0) AS v4,
        coalesce(knob_5[6], 0) AS v5, coalesce(knob_5[7], 0) AS v6, coalesce(knob_5[8], 0) AS v7,
        coalesce(knob_5[9], 0) AS v8, coalesce(knob_5[10], 0) AS v9
    FROM first_tables
),
two AS (
    SELECT
        seed, x, y, points, knob_5[1] AS v0, knob_5[2] AS v1, knob_5[3] AS v2, knob_5[4] AS v3, knob_5[5] AS v4,
        knob_5[6] AS v5, knob_5[7] AS v6, knob_5[8] AS v7, knob_5[9] AS v8, knob_5[10] AS v9
    FROM last_tables
),
-- Every setting of the first knobs with every one of the last: ten configurations a row, all 10^6 of them.
configurations AS (
    SELECT
        seed, one.points + two.points + coalesce(knob_3[x + 1], 0) + coalesce(knob_4[y + 1], 0) AS points,
        one.v0 + two.v0 AS v0, one.v1 + two.v1 AS v1, one.v2 + two.v2 AS v2, one.v3 + two.v3 AS v3,
        one.v4 + two.v4 AS v4, one.v5 + two.v5 AS v5, one.v6 + two.v6 AS v6, one.v7 + two.v7 AS v7,
        one.v8 + two.v8 AS v8, one.v9 + two.v9 AS v9
    FROM one JOIN two USING (seed)
)

SELECT
    seed, min(points + least(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9)) AS low,
    max(points + greatest(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9)) AS high, 10 * count(*) AS configurations
FROM configurations GROUP BY seed
