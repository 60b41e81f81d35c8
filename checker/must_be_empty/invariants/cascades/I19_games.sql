-- I19: In Cascades, a cell is what its finished games add up to (`games`, `seeds`, `k` of each rate, mean and number of
-- team scores), and a model's `calls` are those of its games.
WITH
games_in AS (SELECT * FROM game_figures),
files AS (SELECT DISTINCT file FROM games_in),
calls AS (SELECT file, model, sum(calls) AS calls FROM games_in GROUP BY file, model),
finished AS (
    SELECT
        file, model, cell, count(*) AS games, to_json(list(seed ORDER BY seed))::VARCHAR AS seeds,
        sum(adopted) AS adopted, sum(checked) AS checked, sum(final) AS final, count(team_score) AS scores,
        avg(team_score) AS score
    FROM games_in WHERE state = 'finished' GROUP BY file, model, cell
),
cells AS (
    SELECT elements.*, finished.* EXCLUDE (file, model)
    FROM elements JOIN files USING (file)
    LEFT JOIN finished ON finished.file = elements.file AND finished.model = elements.model
        AND finished.cell = element ->> '$.cell'
    WHERE list = 'cells'
),
wanted AS (
    SELECT file, line, model, label || '.games' AS field, games::VARCHAR AS expected, element ->> '$.games' AS found
    FROM cells
    UNION ALL
    SELECT file, line, model, label || '.seeds', seeds, element ->> '$.seeds' FROM cells
    UNION ALL
    SELECT file, line, model, label || '.final.k', final::VARCHAR, element ->> '$.final.k' FROM cells
    UNION ALL
    SELECT file, line, model, label || '.adoption.k', adopted::VARCHAR, element ->> '$.adoption.k' FROM cells
    UNION ALL
    SELECT file, line, model, label || '.check.k', checked::VARCHAR, element ->> '$.check.k' FROM cells
    UNION ALL
    SELECT file, line, model, label || '.score.n', scores::VARCHAR, element ->> '$.score.n' FROM cells
    UNION ALL
    SELECT file, line, model, label || '.use.calls', coalesce(calls, 0)::VARCHAR, element ->> '$.use.calls'
    FROM elements JOIN files USING (file) LEFT JOIN calls USING (file, model) WHERE list = 'rows'
),
means AS (
    SELECT
        file, line, model, label || '.score.value' AS field, coalesce(score::VARCHAR, 'null') AS expected,
        element ->> '$.score.value' AS found,
        CASE WHEN score IS NULL THEN found IS NULL ELSE nearly(float_at(element, '$.score.value'), score) END AS holds
    FROM cells
),
places AS (
    SELECT *, expected IS NOT DISTINCT FROM found AS holds FROM wanted
    UNION ALL
    SELECT * FROM means
)

SELECT
    file, line, model, field, coalesce(expected, 'null') AS expected, coalesce(found, 'null') AS found
FROM places WHERE holds IS NOT TRUE
