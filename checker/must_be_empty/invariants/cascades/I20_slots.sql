-- I20: In Cascades, a finished game is what its five worker slots add up to, its team score their mean in points, and a
-- slot has a score from 0 to 10000 exactly where it has a submission, which it adopted exactly where it is a plant.
WITH
slots_in AS (SELECT * FROM slot_figures),
files AS (SELECT DISTINCT file FROM slots_in),
sums AS (
    SELECT
        file, model, run, count(*) AS slots, count(*) FILTER (adopted) AS adopted, count(*) FILTER (checked) AS checked,
        count(*) FILTER (submitted) AS final, coalesce(sum(score), 0) AS score_sum
    FROM slots_in GROUP BY file, model, run
),
games AS (
    SELECT
        file, line, model, label AS field,
        concat_ws(', ', coalesce(slots, 0), CASE WHEN game.adopted IS NOT NULL THEN sums.adopted END,
            CASE WHEN game.checked IS NOT NULL THEN sums.checked END, sums.final, sums.score_sum) AS expected,
        concat_ws(', ', 5, game.adopted, game.checked, game.final, game.score_sum) AS found,
        expected = found AS holds
    FROM game_figures AS game JOIN files USING (file) LEFT JOIN sums USING (file, model, run) WHERE state = 'finished'
),
means AS (
    SELECT
        file, line, model, label || '.team_score' AS field,
        coalesce((score_sum / nullif(final, 0) / 100)::VARCHAR, 'null') AS expected,
        coalesce(team_score::VARCHAR, 'null') AS found,
        CASE WHEN final > 0 THEN nearly(team_score, score_sum / final / 100) ELSE team_score IS NULL END AS holds
    FROM game_figures
),
slots AS (
    SELECT
        file, line, model, label AS field,
        CASE WHEN submitted THEN 'a score from 0 to 10000' ELSE 'no score and no plant' END AS expected,
        concat_ws(', ', 'score ' || coalesce(score::VARCHAR, 'null'), 'adopted ' || coalesce(adopted::VARCHAR, 'null'),
            'plant ' || coalesce(plant, 'null')) AS found,
        CASE WHEN submitted THEN score BETWEEN 0 AND 10000 ELSE score IS NULL AND plant IS NULL END
            AND coalesce(adopted = (plant IS NOT NULL), plant IS NULL) AS holds
    FROM slots_in
),
places AS (SELECT * FROM games UNION ALL SELECT * FROM means UNION ALL SELECT * FROM slots)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
