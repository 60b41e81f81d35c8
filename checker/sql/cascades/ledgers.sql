-- One row per model with a log: its worker slots over all cells and seeds of the spec, and what came of each.
WITH
sizes AS (SELECT workers FROM parameters),
attempted AS (
    SELECT model, count(*) * workers AS attempted, count(*) FILTER (NOT finished AND failed) * workers AS failed,
        count(*) FILTER (NOT finished AND NOT failed) * workers AS missing
    FROM places CROSS JOIN sizes GROUP BY model, workers
),
counted AS (
    SELECT
        model, count(*) FILTER (slots.state = 'scored') AS scored,
        count(*) FILTER (slots.state = 'unparsed') AS unparsed, count(*) FILTER (slots.state = 'empty') AS empty,
        count(*) FILTER (slots.state = 'refused') AS refused, count(*) FILTER (slots.state = 'truncated') AS truncated
    FROM slots JOIN places USING (log) GROUP BY model
)

SELECT
    model, attempted, coalesce(scored, 0) AS scored, coalesce(unparsed, 0) AS unparsed, coalesce(empty, 0) AS empty,
    coalesce(refused, 0) AS refused, coalesce(truncated, 0) AS truncated, failed, missing
FROM attempted LEFT JOIN counted USING (model)
