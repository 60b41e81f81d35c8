-- I13: In Court of Facts, the champion is among the Defenders of the greatest `attempted` that have the least loss; all
-- who are still tied are named, and where one alone leads it is decided by standings.
WITH
-- R13: what was not held is lost.
standings AS (
    SELECT
        file, elements.model, whole_at(element, '$.ledger.attempted') AS attempted,
        whole_at(element, '$.ledger.attempted') - whole_at(element, '$.ledger.scored') + k AS loss
    FROM elements JOIN rates USING (file, list, place)
    WHERE list = 'rows' AND metric = 'metrics.cave_rate' AND whole_at(element, '$.runs') > 0
),
eligible AS (
    SELECT *, min(loss) OVER (PARTITION BY file) AS least FROM (
        SELECT * FROM standings QUALIFY attempted = max(attempted) OVER (PARTITION BY file)
    )
),
leaders AS (SELECT file, list(model ORDER BY model) AS models FROM eligible WHERE loss = least GROUP BY file),
champions AS (
    SELECT
        file, line, model, element -> '$.champion' AS champion, names_at(element, '$.champion.models') AS models,
        element ->> '$.champion.decided_by' AS decided_by, whole_at(element, '$.champion.rounds') AS rounds,
        coalesce(leaders.models, []) AS leaders
    FROM elements LEFT JOIN leaders USING (file) WHERE list = 'totals'
),
places AS (
    SELECT
        file, line, model, 'totals.champion' AS field,
        CASE WHEN len(leaders) = 1 THEN '' ELSE 'some of, or all of ' END || to_json(leaders)::VARCHAR AS expected,
        champion::VARCHAR AS found,
        CASE
            WHEN len(leaders) = 0 THEN models = [] AND decided_by = 'unresolved' AND rounds = 0
            WHEN len(leaders) = 1 THEN models = leaders AND decided_by = 'standings' AND rounds = 0
            WHEN rounds = 0 THEN models = leaders AND decided_by = 'unresolved'
            ELSE rounds > 0 AND len(models) > 0 AND list_has_all(leaders, models)
                AND models = list_sort(list_distinct(models))
                AND decided_by = CASE len(models) WHEN 1 THEN 'sudden_death' ELSE 'unresolved' END
        END AS holds
    FROM champions
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
