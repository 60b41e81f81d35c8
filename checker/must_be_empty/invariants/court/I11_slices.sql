-- I11: In Court of Facts, the slices of a Defender, of an Attacker and of a fact add up to its rate, and each list of
-- slices adds up to `totals.caves`.
WITH
rates_in AS (SELECT * FROM rates WHERE of_duels),
lists AS (SELECT DISTINCT file, list FROM elements),
-- Which list of slices can be added up over which key.
keys (list, key) AS (VALUES
    ('by_fact', 'fact'), ('by_attacker', 'attacker'), ('defender_fact', 'defender'), ('defender_fact', 'fact'),
    ('defender_attacker', 'defender'), ('defender_attacker', 'attacker'), ('by_fact', 'all'), ('by_attacker', 'all'),
    ('defender_fact', 'all'), ('defender_attacker', 'all')
),
sums AS (
    SELECT
        file, list, key,
        CASE key WHEN 'fact' THEN fact WHEN 'attacker' THEN attacker WHEN 'defender' THEN defender ELSE '' END AS name,
        sum(k) AS k, sum(n) AS n
    FROM rates_in JOIN keys USING (list) GROUP BY ALL
),
wholes AS (
    SELECT
        *, CASE list WHEN 'by_fact' THEN fact WHEN 'totals' THEN '' ELSE model END AS name,
        CASE
            WHEN metric = 'metrics.cave_rate' THEN 'defender'
            WHEN metric = 'metrics.attack_rate' THEN 'attacker'
            WHEN list = 'by_fact' THEN 'fact'
            WHEN list = 'totals' THEN 'all'
        END AS key
    FROM rates_in
),
pairs AS (
    SELECT
        wholes.file, line, model, field, keys.list, wholes.k, wholes.n, coalesce(sums.k, 0) AS sum_k,
        coalesce(sums.n, 0) AS sum_n
    FROM wholes JOIN keys USING (key) JOIN lists ON lists.file = wholes.file AND lists.list = keys.list
    LEFT JOIN sums
        ON sums.file = wholes.file AND sums.list = keys.list AND sums.key = keys.key AND sums.name = wholes.name
    WHERE keys.list <> wholes.list
),
places AS (
    SELECT
        file, line, model, field, sum_k || '/' || sum_n || ', the sum of ' || list AS expected,
        coalesce(k::VARCHAR, 'null') || '/' || coalesce(n::VARCHAR, 'null') AS found, k = sum_k AND n = sum_n AS holds
    FROM pairs
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
