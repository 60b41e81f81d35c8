-- One row per plain call of the batch of which what stands between `finish` and `settings` is not as L3 and L5 want it.
WITH
calls AS (SELECT * FROM batch WHERE sound AND event = 'call'),
texts AS (SELECT DISTINCT v, middle FROM calls),
unsound AS (
    SELECT v, middle
    FROM texts
    WHERE NOT CASE v
        WHEN 1 THEN regexp_full_match(middle, '{MIDDLE_1}') WHEN 2 THEN regexp_full_match(middle, '{MIDDLE_2}')
    END
)

SELECT log, line FROM calls SEMI JOIN unsound USING (v, middle)
