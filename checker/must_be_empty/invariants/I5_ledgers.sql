-- I5: In a ledger, `attempted` is the sum of the seven states, each of them 0 or more; `empty` may be null, in Court of
-- Facts where the spec has no such state, and counts nothing then.
WITH
ledgers AS (
    SELECT
        file, line, model, label || '.ledger' AS field, whole_at(element, '$.ledger.attempted') AS attempted,
        [
            whole_at(element, '$.ledger.scored'), whole_at(element, '$.ledger.unparsed'),
            count_at(element, '$.ledger.empty'), whole_at(element, '$.ledger.refused'),
            whole_at(element, '$.ledger.truncated'), whole_at(element, '$.ledger.failed'),
            whole_at(element, '$.ledger.missing')
        ] AS states
    FROM elements WHERE json_type(element, '$.ledger') = 'OBJECT'
),
places AS (
    SELECT
        file, line, model, field, list_sum(states)::VARCHAR AS expected, attempted::VARCHAR AS found,
        list_count(states) = 7 AND list_min(states) >= 0 AND list_sum(states) = attempted AS holds
    FROM ledgers
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
