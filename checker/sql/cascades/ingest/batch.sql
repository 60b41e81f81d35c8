-- One row per line of the batch: whether it is proved to be sound (L3, L4, L5), and its event.
WITH
doubts AS (SELECT log, line FROM batch_doubts),
-- Where no number came along, the pass over the bytes has proved `seq`.
lines AS (
    SELECT
        log, text, CASE WHEN starts_with(text, '{"v":1,') THEN 1 WHEN starts_with(text, '{"v":2,') THEN 2 END AS v,
        coalesce(line, TRY_CAST(split_part(split_part(text, ',"seq":', 2), ',', 1) AS INTEGER) + 1) AS line
    FROM batch_lines
)

-- The pass over the bytes has proved the header of each line that is not doubted.
SELECT
    lines.log, lines.line, v, text, split_part(split_part(text, ',"event":"', 2), '"', 1) AS event,
    CASE
        WHEN doubts.line IS NOT NULL OR NOT {FAST} THEN false
        WHEN v = 1 THEN regexp_full_match(text, '{LINE_1}')
        WHEN v = 2 THEN regexp_full_match(text, '{LINE_2}')
        ELSE false  -- and where text is null: not UTF-8
    END IS TRUE AS sound
FROM lines LEFT JOIN doubts ON doubts.log = lines.log AND doubts.line = lines.line
