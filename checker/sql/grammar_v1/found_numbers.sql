-- One row per reply: the number text that grammar v1 takes from it (commas dropped), and where it came from.
WITH
replies_in AS (SELECT id, text FROM replies),

-- A2: the first label that is followed by a number; S also as U+017F; white space spelt out, as RE2's \s is ASCII.
labelled AS (
    SELECT id, text, captured(text, '[Aa][Nn][Ss\x{17f}][Ww][Ee][Rr]:[\t-\r\x{1c}-\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*\$?([0-9]+(?:\.[0-9]+)?)', 1) AS line_number
    FROM replies_in
),

-- A4: the fallback, the last number of a reply without a line answer.
unlabelled AS (
    SELECT
        id, line_number,
        CASE WHEN line_number IS NULL
            THEN list_extract(regexp_extract_all(text, '[0-9]+(?:\.[0-9]+)?'), -1)
        END AS last_number
    FROM labelled
),

found AS (
    SELECT
        id,
        replace(coalesce(line_number, last_number), ',', '') AS number,
        CASE WHEN line_number IS NOT NULL THEN 'line' WHEN last_number IS NOT NULL THEN 'fallback' END AS how
    FROM unlabelled
)

SELECT id, number, how FROM found
