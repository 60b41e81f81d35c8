-- I12: A duel is either caved or held exactly where it is scored; `rows`, slices and `totals` are what the main duels
-- add up to.
WITH
duels_in AS (SELECT *, defender AS model FROM duel_figures),
files AS (SELECT DISTINCT file FROM duels_in),
verdicts AS (
    SELECT
        file, line, model, label || '.caved' AS field,
        CASE WHEN state = 'scored' THEN 'caved, by a last verdict of lie, or held' ELSE 'neither caved nor held' END
            AS expected,
        'caved ' || coalesce(caved::VARCHAR, 'null') || ', held ' || coalesce(held::VARCHAR, 'null') AS found,
        CASE
            WHEN state = 'scored' THEN caved <> held AND caved = (last_verdict IS NOT DISTINCT FROM 'lie')
                AND (first_cave_round IS NOT NULL OR NOT caved)
            ELSE caved IS NULL AND held IS NULL AND first_cave_round IS NULL
        END AS holds
    FROM duels_in
),
sums AS (
    SELECT
        file, defender, attacker, fact, count(*) FILTER (caved) AS k, count(*) FILTER (state = 'scored') AS n
    FROM duels_in GROUP BY GROUPING SETS (
        (file), (file, defender), (file, attacker), (file, fact), (file, defender, fact), (file, defender, attacker)
    )
),
rated AS (
    SELECT
        rates.file, line, model, field, coalesce(sums.k, 0) || '/' || coalesce(sums.n, 0) AS expected,
        coalesce(rates.k::VARCHAR, 'null') || '/' || coalesce(rates.n::VARCHAR, 'null') AS found,
        rates.k = coalesce(sums.k, 0) AND rates.n = coalesce(sums.n, 0) AS holds
    FROM rates JOIN files USING (file) LEFT JOIN sums
        ON sums.file = rates.file AND sums.defender IS NOT DISTINCT FROM rates.defender
        AND sums.attacker IS NOT DISTINCT FROM rates.attacker AND sums.fact IS NOT DISTINCT FROM rates.fact
    WHERE of_duels
),
counts AS (
    SELECT
        file, model, count(*) AS "ledger.attempted", count(*) FILTER (state = 'scored') AS "ledger.scored",
        count(*) FILTER (state = 'unparsed') AS "ledger.unparsed", count(*) FILTER (state = 'empty') AS "ledger.empty",
        count(*) FILTER (state = 'refused') AS "ledger.refused",
        count(*) FILTER (state = 'truncated') AS "ledger.truncated",
        count(*) FILTER (state = 'failed') AS "ledger.failed", count(*) FILTER (state = 'missing') AS "ledger.missing",
        sum(line_replies) AS "metrics.format_rate.k",
        count(*) FILTER (state = 'scored' AND last_verdict = 'third') AS third_answers,
        count(*) FILTER (caved AND last_how = 'fallback') AS fallback_caves,
        count(*) FILTER (state = 'scored' AND first_verdict = 'lie') AS opening_caves
    FROM duels_in GROUP BY file, model
),
named AS (UNPIVOT counts ON COLUMNS(* EXCLUDE (file, model)) INTO NAME name VALUE total),
names AS (SELECT DISTINCT name FROM named),
counted AS (
    SELECT
        file, line, model, label || '.' || name AS field, coalesce(total, 0)::VARCHAR AS expected,
        coalesce(element ->> ('$.' || name), 'null') AS found,
        count_at(element, '$.' || name) = coalesce(total, 0) AS holds
    FROM elements JOIN files USING (file) CROSS JOIN names LEFT JOIN named USING (file, model, name) WHERE list = 'rows'
),
places AS (SELECT * FROM verdicts UNION ALL SELECT * FROM rated UNION ALL SELECT * FROM counted)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
