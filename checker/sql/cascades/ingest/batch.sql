-- One row per line of the batch: whether it is sound (L3, L4, L5), and its event.
WITH
lines AS (
    SELECT batch_lines.log, batch_logs.run, line, text FROM batch_lines JOIN batch_logs USING (log)
),
-- Up to the event no string of a canonical line can hold a quote, so these are the header's own fields.
looked_at AS (
    SELECT
        *, CASE WHEN starts_with(text, '{"v":1,') THEN 1 ELSE 2 END AS v,
        CASE
            WHEN starts_with(text, '{"v":1,') THEN regexp_full_match(text, '{LINE_1}')
            ELSE regexp_full_match(text, '{LINE_2}')
        END AS matches,
        split_part(split_part(text, '"run":"', 2), '"', 1) AS run_found,
        split_part(split_part(text, '"at":"', 2), '"', 1) AS moment,
        split_part(split_part(text, '"event":"', 2), '"', 1) AS event
    FROM lines
)

SELECT
    log,
    coalesce(line, TRY_CAST(regexp_extract(text, '"seq":([0-9]+)', 1) AS INTEGER) + 1) AS line,
    coalesce(matches AND run_found = run AND TRY_CAST(moment AS TIMESTAMP) IS NOT NULL, false) AS sound,
    v, event, text
FROM looked_at
