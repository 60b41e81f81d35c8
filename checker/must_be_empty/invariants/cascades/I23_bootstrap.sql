-- I23: In Cascades, a bootstrap interval has no width exactly where all the games that it is drawn from have one value.
WITH
games AS (SELECT * FROM game_figures WHERE state = 'finished'),
spreads AS (
    SELECT
        file, model, cell, max(team_score) - min(team_score) AS score, max(adopted) - min(adopted) AS adoption_by_game
    FROM games GROUP BY file, model, cell
),
drawn AS (
    SELECT rates.*, CASE metric WHEN 'score' THEN score ELSE adoption_by_game END AS spread
    FROM rates JOIN spreads USING (file, model, cell)
    WHERE list = 'cells' AND metric IN ('score', 'adoption_by_game') AND value IS NOT NULL
),
places AS (
    SELECT
        file, line, model, field || '.lo' AS field,
        CASE WHEN spread > 1e-9 THEN 'lo < hi' ELSE 'lo = hi' END AS expected,
        lo || ' to ' || hi AS found, (hi - lo > 1e-9) = (spread > 1e-9) AS holds
    FROM drawn
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
