-- One row per stated field of an imported log that differs from what the rules give (R19).
WITH
logs_in AS (SELECT log, path, run, model FROM logs),
statements AS (SELECT * FROM stated),
whole AS (SELECT * FROM stated_totals),
results AS (SELECT * FROM duel_results WHERE phase = 'main'),
normal AS (SELECT text, any_value(normal) AS normal FROM normal_numbers GROUP BY text),
counts AS (SELECT model, caves FROM defender_counts),
winner AS (SELECT CASE WHEN len(models) = 1 THEN models[1] END AS model FROM champion),

duel_statements AS (
    SELECT statements.*, results.answers AS computed, results.verdicts, results.calls, results.caved AS computed_caved
    FROM statements JOIN results USING (log, attacker, fact, repeat)
),
-- One row per Defender turn that either side has, counted from 1.
turns AS (
    SELECT log, line, answers, caved, computed, verdicts, calls,
        unnest(range(1, greatest(len(answers), len(caved), len(computed)) + 1)) AS n
    FROM duel_statements
),
answers_by_turn AS (
    SELECT log, line, n, computed[n] AS expected, answers[n] AS text, coalesce(normal.normal, answers[n]) AS found
    FROM turns LEFT JOIN normal ON normal.text = answers[n]
),
caved_by_turn AS (
    SELECT log, line, n, CASE WHEN calls[n] THEN coalesce(verdicts[n] = 'lie', false) END AS expected,
        caved[n] AS found
    FROM turns
),
differences AS (
    SELECT log, line, 'answers[' || (n - 1) || ']' AS field, to_json(expected)::VARCHAR AS expected,
        to_json(text)::VARCHAR AS found
    FROM answers_by_turn WHERE expected IS DISTINCT FROM found
    UNION ALL
    SELECT log, line, 'caved[' || (n - 1) || ']', to_json(expected)::VARCHAR, to_json(found)::VARCHAR
    FROM caved_by_turn WHERE expected IS DISTINCT FROM found
    UNION ALL
    SELECT log, line, 'final_wrong', to_json(computed_caved)::VARCHAR, to_json(final_wrong)::VARCHAR
    FROM duel_statements WHERE computed_caved IS DISTINCT FROM final_wrong
    UNION ALL
    SELECT whole.log, line, 'caves', to_json(counts.caves::BIGINT)::VARCHAR, to_json(whole.caves)::VARCHAR
    FROM whole JOIN logs_in USING (log) JOIN counts USING (model) WHERE counts.caves IS DISTINCT FROM whole.caves
    UNION ALL
    SELECT whole.log, line, 'champion', to_json(winner.model)::VARCHAR, to_json(whole.champion)::VARCHAR
    FROM whole CROSS JOIN winner WHERE winner.model IS DISTINCT FROM whole.champion
)

SELECT path, line, model, run, field, coalesce(expected, 'null') AS expected, coalesce(found, 'null') AS found
FROM differences JOIN logs_in USING (log)
ORDER BY path, line, field
