-- One row per model: its counts and its ledger as Defender (R9 to R12, R17), zeros where it never defends.
WITH
names AS (SELECT model FROM models),
duels_in AS (SELECT * FROM main_duels),
counts AS (
    SELECT
        names.model,
        coalesce(sum(scored), 0) AS scored, coalesce(sum(caves), 0) AS caves, coalesce(sum(holds), 0) AS holds,
        coalesce(sum(replies), 0) AS replies, coalesce(sum(line_replies), 0) AS line_replies,
        coalesce(sum(third_answers), 0) AS third_answers, coalesce(sum(fallback_caves), 0) AS fallback_caves,
        coalesce(sum(opening_caves), 0) AS opening_caves, coalesce(sum(empty_replies), 0) AS empty_replies,
        count(duel) AS attempted,
        count(*) FILTER (state = 'unparsed') AS unparsed, count(*) FILTER (state = 'refused') AS refused,
        count(*) FILTER (state = 'truncated') AS truncated, count(*) FILTER (state = 'failed') AS failed,
        count(*) FILTER (state = 'missing') AS missing
    FROM names LEFT JOIN duels_in ON duels_in.defender = names.model
    GROUP BY names.model
)

SELECT * FROM counts
