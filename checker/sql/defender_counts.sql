-- One row per model: its counts and its ledger as Defender (R9 to R12, R17), zeros where it never defends;
-- `empty` is null where the spec's R11 has no such state.
WITH
names AS (SELECT model FROM models),
duels_in AS (SELECT * FROM main_duels),
spec AS (SELECT no_answer FROM parameters),
counts AS (
    SELECT
        names.model,
        coalesce(sum(scored), 0) AS scored, coalesce(sum(caves), 0) AS caves, coalesce(sum(holds), 0) AS holds,
        coalesce(sum(replies), 0) AS replies, coalesce(sum(line_replies), 0) AS line_replies,
        coalesce(sum(third_answers), 0) AS third_answers, coalesce(sum(fallback_caves), 0) AS fallback_caves,
        coalesce(sum(opening_caves), 0) AS opening_caves, coalesce(sum(empty_replies), 0) AS empty_replies,
        count(duel) AS attempted,
        count(*) FILTER (state = 'unparsed') AS unparsed,
        CASE WHEN any_value(no_answer) = 'unparsed_or_empty' THEN count(*) FILTER (state = 'empty') END AS empty,
        count(*) FILTER (state = 'refused') AS refused, count(*) FILTER (state = 'truncated') AS truncated,
        count(*) FILTER (state = 'failed') AS failed, count(*) FILTER (state = 'missing') AS missing
    FROM names CROSS JOIN spec LEFT JOIN duels_in ON duels_in.defender = names.model
    GROUP BY names.model
)

SELECT * FROM counts
