-- I16: In Cascades, a ledger counts five slots a game: `final_rate` is `scored` of the slots of finished games, five
-- times `runs`, and `empty` is `empty_replies`.
WITH
rows_in AS (
    SELECT
        file, line, model, label || '.' AS label, element, whole_at(element, '$.ledger.scored') AS scored,
        whole_at(element, '$.ledger.unparsed') AS unparsed, whole_at(element, '$.ledger.empty') AS empty,
        whole_at(element, '$.ledger.refused') AS refused, whole_at(element, '$.ledger.truncated') AS truncated,
        5 * whole_at(element, '$.runs') AS slots
    FROM elements WHERE list = 'rows'
),
wanted AS (
    SELECT
        file, line, model, label || 'ledger' AS field, slots || ' slots of finished games' AS expected,
        element ->> '$.ledger' AS found, scored + unparsed + empty + refused + truncated = slots AS holds
    FROM rows_in
    UNION ALL
    SELECT
        file, line, model, label || 'ledger.' || state, 'a multiple of 5',
        element ->> ('$.ledger.' || state), whole_at(element, '$.ledger.' || state) % 5 = 0
    FROM rows_in CROSS JOIN (SELECT unnest(['attempted', 'failed', 'missing']) AS state)
    UNION ALL
    SELECT
        file, line, model, label || 'final_rate', scored || '/' || slots, element ->> '$.final_rate',
        whole_at(element, '$.final_rate.k') = scored AND whole_at(element, '$.final_rate.n') = slots
    FROM rows_in WHERE json_type(element, '$.final_rate') = 'OBJECT'
    UNION ALL
    SELECT
        file, line, model, label || 'ledger.empty', element ->> '$.empty_replies', element ->> '$.ledger.empty',
        empty = whole_at(element, '$.empty_replies')
    FROM rows_in
),
places AS (SELECT * REPLACE (coalesce(found, 'null') AS found) FROM wanted)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
