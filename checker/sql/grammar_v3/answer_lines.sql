-- One row per reply: its last ANSWER line (A3), null if it has none.
WITH
clean AS (SELECT id, text FROM clean_replies),
lines AS (
    SELECT id, list_filter(
        string_split(text, chr(10)),
        lambda line: regexp_matches(line, '(?:^|[^A-Za-z0-9])[Aa][Nn][Ss][Ww][Ee][Rr][ *_`]*:')
    ) AS answer_lines
    FROM clean
)

SELECT id, list_extract(answer_lines, -1) AS line FROM lines
