-- One row per model with a log: the row of `rows` in builder.json and checked.json.
WITH
names AS (SELECT DISTINCT model FROM logs),
cells_in AS (SELECT * FROM cell_rows),
empty AS (
    SELECT {'k': NULL::BIGINT, 'n': 0::BIGINT, 'value': NULL::DOUBLE, 'lo': NULL::DOUBLE, 'hi': NULL::DOUBLE} AS mean
),
nofix AS (SELECT * FROM cells_in WHERE cell = 'nofix-2'),
verified AS (SELECT * FROM cells_in WHERE cell = 'verified-2'),
isolated AS (SELECT * FROM cells_in WHERE cell = 'isolated'),
finished AS (
    SELECT model, count(*) AS runs, sum(final) AS final, sum(workers) AS slots FROM cell_games GROUP BY model
),
silent AS (
    SELECT model, count(*) AS empty_replies FROM slots JOIN logs USING (log) WHERE state = 'empty' GROUP BY model
),
used AS (SELECT * FROM "use")

SELECT
    names.model, CASE WHEN starts_with(names.model, 'scripted:') THEN 'baseline' ELSE 'model' END AS kind,
    coalesce(runs, 0)::BIGINT AS runs,
    {
        'adoption': coalesce(nofix.adoption, rate(0, 0)), 'verified_adoption': coalesce(verified.adoption, rate(0, 0)),
        'check_rate': coalesce(nofix.check, rate(0, 0)), 'team_score': coalesce(nofix.score, empty.mean),
        'team_score_isolated': coalesce(isolated.score, empty.mean),
        'team_score_verified': coalesce(verified.score, empty.mean)
    } AS metrics,
    {
        'attempted': attempted, 'scored': scored, 'unparsed': unparsed, 'empty': ledgers.empty, 'refused': refused,
        'truncated': truncated, 'failed': ledgers.failed, 'missing': ledgers.missing
    } AS ledger,
    partial, NULL AS seeds, nofix.adoption_by_game, rate(coalesce(finished.final, 0), coalesce(slots, 0)) AS final_rate,
    coalesce(empty_replies, 0)::BIGINT AS empty_replies, used.use AS "use"
FROM names CROSS JOIN empty
JOIN ledgers USING (model) JOIN partial_models USING (model)
LEFT JOIN nofix USING (model) LEFT JOIN verified USING (model) LEFT JOIN isolated USING (model)
LEFT JOIN finished USING (model)
LEFT JOIN silent USING (model)
LEFT JOIN used USING (model)
ORDER BY names.model
