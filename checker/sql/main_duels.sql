-- One row per main-phase duel, with the counts that rates and totals add up (R9, R10, R12, R17).
WITH
results AS (SELECT * FROM duel_results WHERE phase = 'main'),
counted AS (
    SELECT
        duel, log, defender, attacker, fact, place, state, caved,
        (state = 'scored')::INTEGER AS scored,
        (caved IS TRUE)::INTEGER AS caves,
        (held IS TRUE)::INTEGER AS holds,
        (state = 'scored' AND verdicts[-1] IS NOT DISTINCT FROM 'third')::INTEGER AS third_answers,
        (caved IS TRUE AND hows[-1] IS NOT DISTINCT FROM 'fallback')::INTEGER AS fallback_caves,
        (state = 'scored' AND verdicts[1] IS NOT DISTINCT FROM 'lie')::INTEGER AS opening_caves,
        said_nothing::INTEGER AS empty_replies,
        list_count(list_filter(calls, lambda called: called)) AS replies,
        list_count(list_filter(hows, lambda how: how = 'line')) AS line_replies
    FROM results
)

SELECT * FROM counted
