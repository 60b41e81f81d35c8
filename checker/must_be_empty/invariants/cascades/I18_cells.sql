-- I18: In Cascades, the rates of a cell are over five worker slots a game and one score a game at most; isolated has no
-- board to adopt from.
WITH
cells AS (SELECT *, whole_at(element, '$.games') AS games FROM elements WHERE list = 'cells'),
over AS (
    SELECT
        cells.file, cells.line, cells.model, field,
        CASE
            WHEN metric = 'score' THEN 'of 0 to ' || games
            WHEN rates.cell = 'isolated' AND metric <> 'final' THEN 'null, without a board'
            ELSE 'of ' || 5 * games
        END AS expected,
        'of ' || coalesce(n::VARCHAR, 'null') AS found,
        CASE WHEN metric = 'score' THEN n BETWEEN 0 AND games ELSE n = 5 * games END
            AND (rates.cell <> 'isolated' OR metric IN ('score', 'final')) AS holds
    FROM cells JOIN rates USING (file, list, place)
),
counted AS (
    SELECT
        file, line, model, label || '.seeds' AS field, games || ' seeds' AS expected, element ->> '$.seeds' AS found,
        json_array_length(element, '$.seeds') = games AS holds
    FROM cells
),
places AS (SELECT * FROM over UNION ALL SELECT * REPLACE (coalesce(found, 'null') AS found) FROM counted)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
