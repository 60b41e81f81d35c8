-- One row per rate of a table: what it counts, and how its interval was made (Wilson, or a bootstrap over games).
WITH
elements_in AS (SELECT * FROM elements),
kinds (list, metric, kind) AS (VALUES
    ('rows', 'metrics.cave_rate', 'wilson'), ('rows', 'metrics.attack_rate', 'wilson'),
    ('rows', 'metrics.format_rate', 'wilson'), ('totals', 'caves', 'wilson'), ('totals', 'format', 'wilson'),
    ('by_fact', '', 'wilson'), ('by_attacker', '', 'wilson'), ('defender_fact', '', 'wilson'),
    ('defender_attacker', '', 'wilson'),
    ('rows', 'metrics.adoption', 'wilson'), ('rows', 'metrics.verified_adoption', 'wilson'),
    ('rows', 'metrics.check_rate', 'wilson'), ('rows', 'metrics.team_score', 'mean'),
    ('rows', 'metrics.team_score_isolated', 'mean'), ('rows', 'metrics.team_score_verified', 'mean'),
    ('rows', 'adoption_by_game', 'games'), ('rows', 'final_rate', 'wilson'), ('cells', 'adoption', 'wilson'),
    ('cells', 'check', 'wilson'), ('cells', 'adoption_by_game', 'games'), ('cells', 'score', 'mean'),
    ('cells', 'final', 'wilson'), ('rounds', 'adoption', 'wilson')
),
found AS (
    SELECT elements_in.*, metric, kind, element -> CASE WHEN metric = '' THEN '$' ELSE '$.' || metric END AS rate
    FROM elements_in JOIN kinds USING (list)
)

SELECT
    file, board, tolerance, list, place, line, model, metric, kind, concat_ws('.', label, nullif(metric, '')) AS field,
    CASE WHEN metric = 'metrics.cave_rate' THEN model ELSE element ->> '$.defender' END AS defender,
    CASE WHEN metric = 'metrics.attack_rate' THEN model ELSE element ->> '$.attacker' END AS attacker,
    element ->> '$.fact' AS fact, element ->> '$.cell' AS cell, whole_at(element, '$.round') AS round,
    metric IN ('', 'metrics.cave_rate', 'metrics.attack_rate', 'caves') AS of_duels,
    whole_at(rate, '$.k') AS k, whole_at(rate, '$.n') AS n, float_at(rate, '$.value') AS value,
    float_at(rate, '$.lo') AS lo, float_at(rate, '$.hi') AS hi
FROM found WHERE json_type(rate) = 'OBJECT'
