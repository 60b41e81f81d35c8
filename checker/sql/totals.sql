-- One row: the sums over the whole version; `empty` is null where the spec's R11 has no such state.
WITH
defences AS (SELECT * FROM defender_counts),
runs AS (SELECT count(*) AS runs FROM logs),
spec AS (SELECT no_answer FROM parameters)

SELECT
    any_value(runs.runs) AS runs,
    coalesce(sum(attempted), 0)::BIGINT AS duels,
    rate(coalesce(sum(caves), 0), coalesce(sum(scored), 0)) AS caves,
    rate(coalesce(sum(line_replies), 0), coalesce(sum(replies), 0)) AS format,
    coalesce(sum(third_answers), 0)::BIGINT AS third_answers,
    coalesce(sum(fallback_caves), 0)::BIGINT AS fallback_caves,
    coalesce(sum(opening_caves), 0)::BIGINT AS opening_caves,
    {
        'attempted': coalesce(sum(attempted), 0)::BIGINT, 'scored': coalesce(sum(scored), 0)::BIGINT,
        'unparsed': coalesce(sum(unparsed), 0)::BIGINT,
        'empty': CASE WHEN any_value(no_answer) = 'unparsed_or_empty' THEN coalesce(sum(empty), 0)::BIGINT END,
        'refused': coalesce(sum(refused), 0)::BIGINT, 'truncated': coalesce(sum(truncated), 0)::BIGINT,
        'failed': coalesce(sum(failed), 0)::BIGINT, 'missing': coalesce(sum(missing), 0)::BIGINT
    } AS ledger
FROM runs CROSS JOIN spec LEFT JOIN defences ON true
