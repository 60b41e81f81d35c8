-- I17: In Cascades, the metrics of a row are the rates of its `cells`, and `runs`, `seeds` and `final_rate` are what
-- its cells add up to.
WITH
files AS (SELECT DISTINCT file FROM elements WHERE list = 'cells'),
cells AS (SELECT * FROM rates WHERE list = 'cells'),
-- Which metric of a row is which rate of which cell.
pairs (metric, cell, rate) AS (VALUES
    ('metrics.adoption', 'nofix-2', 'adoption'), ('metrics.verified_adoption', 'verified-2', 'adoption'),
    ('metrics.check_rate', 'nofix-2', 'check'), ('metrics.team_score', 'nofix-2', 'score'),
    ('metrics.team_score_isolated', 'isolated', 'score'), ('metrics.team_score_verified', 'verified-2', 'score'),
    ('adoption_by_game', 'nofix-2', 'adoption_by_game')
),
copies AS (
    SELECT
        own.file, own.line, own.model, own.field,
        concat_ws(', ', coalesce(cells.k::VARCHAR, 'no k'), coalesce(cells.n, 0), cells.value, cells.lo, cells.hi)
            AS expected,
        concat_ws(', ', coalesce(own.k::VARCHAR, 'no k'), own.n, own.value, own.lo, own.hi) AS found,
        own.n = coalesce(cells.n, 0) AND coalesce(own.k, 0) = coalesce(cells.k, 0)
            AND (own.value IS NULL) = (cells.value IS NULL)
            AND coalesce(nearly(own.value, cells.value) AND nearly(own.lo, cells.lo) AND nearly(own.hi, cells.hi), true)
            AS holds
    FROM rates AS own JOIN files USING (file) JOIN pairs ON pairs.metric = own.metric
    LEFT JOIN cells ON cells.file = own.file AND cells.model = own.model AND cells.cell = pairs.cell
        AND cells.metric = pairs.rate
    WHERE own.list = 'rows'
),
finals AS (
    SELECT file, model, sum(k) AS k, sum(n) AS n FROM cells WHERE metric = 'final' GROUP BY file, model
),
games AS (
    SELECT file, model, sum(whole_at(element, '$.games')) AS games FROM elements WHERE list = 'cells' GROUP BY ALL
),
rows_in AS (SELECT elements.* FROM elements JOIN files USING (file) WHERE list = 'rows'),
sums AS (
    SELECT
        file, line, model, label || '.runs' AS field, coalesce(games, 0)::VARCHAR AS expected,
        element ->> '$.runs' AS found
    FROM rows_in LEFT JOIN games USING (file, model)
    UNION ALL
    SELECT
        file, line, model, label || '.final_rate', coalesce(k, 0) || '/' || coalesce(n, 0),
        (element ->> '$.final_rate.k') || '/' || (element ->> '$.final_rate.n')
    FROM rows_in LEFT JOIN finals USING (file, model)
    UNION ALL
    SELECT
        cells.file, cells.line, cells.model, cells.label || '.seeds',
        json_array_length(cells.element, '$.seeds')::VARCHAR,
        rows_in.element ->> ('$.seeds."' || (cells.element ->> '$.cell') || '"')
    FROM elements AS cells JOIN rows_in ON rows_in.file = cells.file AND rows_in.model = cells.model
    WHERE cells.list = 'cells'
),
places AS (
    SELECT * FROM copies
    UNION ALL
    SELECT * REPLACE (coalesce(found, 'null') AS found), expected = found FROM sums
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
