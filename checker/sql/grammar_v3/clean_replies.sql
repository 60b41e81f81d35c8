-- One row per reply: its text after A1 (think blocks) and A2 (spaces).
WITH
replies_in AS (SELECT id, text FROM replies),

-- A1, in its three steps; explicit letters, because RE2's (?i) also folds U+212A onto k.
closed AS (
    SELECT id, CASE WHEN contains(text, '>') THEN regexp_replace(
        text, '(?s)<[Tt][Hh][Ii][Nn][Kk](?:[Ii][Nn][Gg])?>.*?</[Tt][Hh][Ii][Nn][Kk](?:[Ii][Nn][Gg])?>', '', 'g'
    ) ELSE text END AS text
    FROM replies_in
),
orphaned AS (
    SELECT id, CASE WHEN contains(text, '>') THEN regexp_replace(
        text, '(?s)\A.*</[Tt][Hh][Ii][Nn][Kk](?:[Ii][Nn][Gg])?>', ''
    ) ELSE text END AS text
    FROM closed
),
unfinished AS (
    SELECT id, CASE WHEN contains(text, '>') THEN regexp_replace(
        text, '(?s)<[Tt][Hh][Ii][Nn][Kk](?:[Ii][Nn][Gg])?>.*\z', ''
    ) ELSE text END AS text
    FROM orphaned
),

-- A2; only a text that holds one of these characters is rewritten.
spaced AS (
    SELECT id, CASE WHEN regexp_matches(
        text, '[\t\x{b}\x{c}\r\x{a0}\x{1680}\x{2000}-\x{200b}\x{202f}\x{205f}\x{2060}\x{2212}\x{3000}\x{feff}]'
    ) THEN replace(
        regexp_replace(
            regexp_replace(text, '[\t\x{b}\x{c}\r\x{a0}\x{1680}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}]', ' ', 'g'),
            '[\x{200b}\x{2060}\x{feff}]', '', 'g'
        ), chr(8722), '-'
    ) ELSE text END AS text
    FROM unfinished
)

SELECT id, text FROM spaced
