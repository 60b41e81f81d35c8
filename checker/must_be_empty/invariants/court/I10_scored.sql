-- I10: In Court of Facts, `cave_rate` is over the `scored` duels; third answers are among those held, fallback caves
-- among the caves, opening caves among the scored, empty replies among those that have a last reply.
WITH
rows_in AS (
    SELECT
        file, line, model, label || '.' AS label, element, whole_at(element, '$.metrics.cave_rate.k') AS k,
        whole_at(element, '$.metrics.cave_rate.n') AS n, whole_at(element, '$.ledger.scored') AS scored,
        whole_at(element, '$.ledger.attempted') - whole_at(element, '$.ledger.failed')
            - whole_at(element, '$.ledger.missing') AS replied
    FROM elements WHERE list = 'rows'
),
bounds AS (
    SELECT file, line, model, label || 'metrics.cave_rate.n' AS field, scored AS least, scored AS most, n AS found
    FROM rows_in
    UNION ALL
    SELECT file, line, model, label || 'third_answers', 0, n - k, whole_at(element, '$.third_answers') FROM rows_in
    UNION ALL
    SELECT file, line, model, label || 'fallback_caves', 0, k, whole_at(element, '$.fallback_caves') FROM rows_in
    UNION ALL
    SELECT file, line, model, label || 'opening_caves', 0, n, whole_at(element, '$.opening_caves') FROM rows_in
    UNION ALL
    SELECT file, line, model, label || 'empty_replies', 0, replied, whole_at(element, '$.empty_replies') FROM rows_in
),
places AS (
    SELECT
        file, line, model, field, CASE WHEN least = most THEN '' ELSE least || ' to ' END || most AS expected,
        coalesce(found::VARCHAR, 'null') AS found, found BETWEEN least AND most AS holds
    FROM bounds
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
