-- I9: In Court of Facts, `totals` are the sums of `rows`: `duels`, `ledger`, `caves`, `format` and the three counts.
WITH
-- What of a row adds up to what of the totals.
pairs (whole, part) AS (VALUES
    ('duels', 'ledger.attempted'), ('ledger.attempted', 'ledger.attempted'), ('ledger.scored', 'ledger.scored'),
    ('ledger.unparsed', 'ledger.unparsed'), ('ledger.empty', 'ledger.empty'),
    ('ledger.refused', 'ledger.refused'), ('ledger.truncated', 'ledger.truncated'),
    ('ledger.failed', 'ledger.failed'), ('ledger.missing', 'ledger.missing'),
    ('caves.k', 'metrics.cave_rate.k'), ('caves.n', 'metrics.cave_rate.n'),
    ('format.k', 'metrics.format_rate.k'), ('format.n', 'metrics.format_rate.n'),
    ('third_answers', 'third_answers'), ('fallback_caves', 'fallback_caves'), ('opening_caves', 'opening_caves')
),
sums AS (
    SELECT file, whole, sum(count_at(element, '$.' || part)) AS total
    FROM elements CROSS JOIN pairs WHERE list = 'rows' GROUP BY file, whole
),
places AS (
    SELECT
        file, line, model, 'totals.' || whole AS field, coalesce(total, 0)::VARCHAR AS expected,
        coalesce(element ->> ('$.' || whole), 'null') AS found,
        count_at(element, '$.' || whole) = coalesce(total, 0) AS holds
    FROM elements CROSS JOIN pairs LEFT JOIN sums USING (file, whole) WHERE list = 'totals'
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
