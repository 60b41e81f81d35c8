-- One row per piece (A8) that is a number, of each reply whose ANSWER line may have no value.
WITH
unanswered AS (
    SELECT answer_lines.id
    FROM answer_lines LEFT JOIN line_values USING (line)
    -- A long number or an exponent may turn out to have no value (A7); `answers` drops what was not needed.
    WHERE line_values.number IS NULL OR length(line_values.number) > 34 OR regexp_matches(line_values.number, '[eE]')
),
-- Only pieces that hold a digit, each from its first character: up to its first digit, then on.
pieces AS (
    SELECT id, unnest(pieces) AS piece, generate_subscripts(pieces, 1) AS place
    FROM (
        SELECT id, regexp_extract_all(text, '[A-Za-z.,$€£%+_-]*[0-9][A-Za-z0-9.,$€£%+_-]*') AS pieces
        FROM clean_replies SEMI JOIN unanswered USING (id)
    )
),
stripped AS (SELECT id, place, rtrim(ltrim(piece, '$€£'), '.,%$€£') AS piece FROM pieces),
number_pieces AS (
    SELECT id, place, ltrim(piece, '+') AS number
    FROM stripped
    WHERE regexp_full_match(
        piece,
        '[+-]?(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?'
    )
)

SELECT id, place, number FROM number_pieces
