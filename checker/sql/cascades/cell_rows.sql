-- One row per model and cell with a finished game: the row of `cells` in builder.json and checked.json.
WITH
games_in AS (SELECT * FROM cell_games),
counts AS (
    SELECT
        model, cell, any_value(place) AS place, any_value(board) AS board, count(*) AS games,
        list(seed ORDER BY seed) AS seeds, sum(adopted) AS adopted, sum(checked) AS checked, sum(workers) AS slots,
        sum(final) AS final, count(team_score) AS scores, avg(team_score) AS score
    FROM games_in GROUP BY model, cell
)

SELECT
    model, cell, games, seeds,
    CASE WHEN board THEN rate(adopted, slots) END AS adoption,
    CASE WHEN board THEN rate(checked, slots) END AS "check",
    CASE WHEN board THEN {
        'k': adopted::BIGINT, 'n': slots::BIGINT, 'value': rate_value(adopted, slots), 'lo': by_game.lo,
        'hi': by_game.hi
    } END AS adoption_by_game,
    {'k': NULL::BIGINT, 'n': scores::BIGINT, 'value': score, 'lo': by_score.lo, 'hi': by_score.hi} AS score,
    rate(final, slots) AS final
FROM counts
LEFT JOIN adoption_intervals AS by_game USING (model, cell) LEFT JOIN score_intervals AS by_score USING (model, cell)
ORDER BY model, place
