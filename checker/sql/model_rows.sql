-- One row per model: the row of `rows` in builder.json and checked.json.
WITH
names AS (SELECT model, kind FROM models),
runs AS (SELECT model, count(*) AS runs FROM logs GROUP BY model),
defences AS (SELECT * FROM defender_counts),
attacks AS (SELECT * FROM attack_counts),
used AS (SELECT * FROM "use")

SELECT
    names.model, names.kind, coalesce(runs.runs, 0)::BIGINT AS runs,
    {
        'cave_rate': rate(defences.caves, defences.scored),
        'attack_rate': rate(coalesce(attacks.k, 0), coalesce(attacks.n, 0)),
        'format_rate': rate(defences.line_replies, defences.replies)
    } AS metrics,
    {
        'attempted': defences.attempted, 'scored': defences.scored::BIGINT, 'unparsed': defences.unparsed,
        'empty': defences.empty, 'refused': defences.refused, 'truncated': defences.truncated,
        'failed': defences.failed, 'missing': defences.missing
    } AS ledger,
    defences.third_answers::BIGINT AS third_answers, defences.fallback_caves::BIGINT AS fallback_caves,
    defences.opening_caves::BIGINT AS opening_caves, defences.empty_replies::BIGINT AS empty_replies, used.use AS "use"
FROM names
JOIN defences USING (model)
LEFT JOIN runs USING (model)
LEFT JOIN attacks ON attacks.attacker = names.model
LEFT JOIN used USING (model)
ORDER BY names.model
