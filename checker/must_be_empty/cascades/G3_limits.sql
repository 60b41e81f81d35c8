-- G3: at most so many experiments in a turn; the final turn has none, no claim and no note.
WITH
acts AS (
    SELECT log, line, round, json_array_length(experiments) AS experiments, json_array_length(claims) AS claims, note
    FROM actions
),
parameters_in AS (SELECT rounds + 1 AS last, experiments AS most FROM parameters)

SELECT log, line, 'G3' AS rule, 'experiments' AS field,
    CASE WHEN round = last THEN 'none in the final turn' ELSE 'at most ' || most END AS expected,
    experiments::VARCHAR AS found
FROM acts CROSS JOIN parameters_in WHERE experiments > CASE WHEN round = last THEN 0 ELSE most END
UNION ALL
SELECT log, line, 'G3', 'claims', 'none in the final turn', claims::VARCHAR
FROM acts CROSS JOIN parameters_in WHERE round = last AND claims > 0
UNION ALL
SELECT log, line, 'G3', 'note', 'none in the final turn', note
FROM acts CROSS JOIN parameters_in WHERE round = last AND note <> ''
