-- I21: In Cascades, a cell has six rounds, all over its five slots a game; what is adopted in round 6 is the cell's
-- `adoption`.
WITH
rounds AS (
    SELECT *, element ->> '$.cell' AS cell, whole_at(element, '$.round') AS round FROM elements WHERE list = 'rounds'
),
adopted AS (SELECT file, place, k, n FROM rates WHERE list = 'rounds'),
cells AS (
    SELECT
        elements.*, element ->> '$.cell' AS cell, 5 * whole_at(element, '$.games') AS slots,
        whole_at(element, '$.adoption.k') AS adoption
    FROM elements WHERE list = 'cells' AND file IN (SELECT file FROM rounds)
),
sums AS (SELECT file, model, cell, list(round ORDER BY round) AS rounds FROM rounds GROUP BY file, model, cell),
counted AS (
    SELECT
        file, line, model, label AS field, 'rounds 1 to 6' AS expected,
        coalesce(to_json(rounds)::VARCHAR, 'none') AS found,
        rounds = [1, 2, 3, 4, 5, 6] AS holds
    FROM cells LEFT JOIN sums USING (file, model, cell)
),
over AS (
    SELECT
        rounds.file, rounds.line, rounds.model, rounds.label || '.adoption' AS field,
        CASE
            WHEN cells.adoption IS NULL THEN 'null'
            WHEN rounds.round = 6 THEN cells.adoption || '/' || slots
            ELSE 'of ' || slots
        END AS expected,
        coalesce(k || '/' || n, 'null') AS found,
        CASE
            WHEN cells.adoption IS NULL THEN n IS NULL
            ELSE n = slots AND (rounds.round <> 6 OR k = cells.adoption)
        END AS holds
    FROM rounds LEFT JOIN adopted USING (file, place)
    LEFT JOIN cells ON cells.file = rounds.file AND cells.model = rounds.model AND cells.cell = rounds.cell
),
places AS (SELECT * FROM counted UNION ALL SELECT * FROM over)

SELECT file, line, model, field, coalesce(expected, 'a cell') AS expected, found FROM places WHERE holds IS NOT TRUE
