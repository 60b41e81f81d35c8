-- I14: In Court of Facts, `hardest_facts` are all the facts of `by_fact` with the lowest exact k/n, in its order.
WITH
facts AS (SELECT file, place, fact, k::HUGEINT AS k, n::HUGEINT AS n FROM rates WHERE list = 'by_fact' AND n > 0),
lowest AS (
    SELECT file, list(fact ORDER BY place) AS facts FROM facts AS this
    WHERE NOT EXISTS (SELECT 1 FROM facts AS other WHERE other.file = this.file AND other.k * this.n < this.k * other.n)
    GROUP BY file
),
places AS (
    SELECT
        file, line, model, 'totals.hardest_facts' AS field, to_json(coalesce(facts, []))::VARCHAR AS expected,
        coalesce(element ->> '$.hardest_facts', 'null') AS found,
        names_at(element, '$.hardest_facts') = coalesce(facts, []) AS holds
    FROM elements LEFT JOIN lowest USING (file) WHERE list = 'totals'
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
