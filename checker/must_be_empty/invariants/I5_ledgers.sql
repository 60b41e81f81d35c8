-- I5: In a ledger, `attempted` is the sum of the six states, each of them 0 or more.
WITH
ledgers AS (
    SELECT
        file, line, model, label || '.ledger' AS field, whole_at(element, '$.ledger.attempted') AS attempted,
        [
            whole_at(element, '$.ledger.scored'), whole_at(element, '$.ledger.unparsed'),
            whole_at(element, '$.ledger.refused'), whole_at(element, '$.ledger.truncated'),
            whole_at(element, '$.ledger.failed'), whole_at(element, '$.ledger.missing')
        ] AS states
    FROM elements WHERE json_type(element, '$.ledger') = 'OBJECT'
),
places AS (
    SELECT
        file, line, model, field, list_sum(states)::VARCHAR AS expected, attempted::VARCHAR AS found,
        list_count(states) = 6 AND list_min(states) >= 0 AND list_sum(states) = attempted AS holds
    FROM ledgers
)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
