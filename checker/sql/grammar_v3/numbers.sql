-- One row per different number text of ANSWER lines, fallback pieces, truths, lies and stated answers: its A7 value.
WITH
lines AS (SELECT DISTINCT number AS text FROM line_values),
pieces AS (SELECT DISTINCT number AS text FROM fallback_pieces),
others AS (
    SELECT DISTINCT text FROM other_numbers
    WHERE regexp_full_match(
        text, '[+-]?(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?'
    )
),
texts AS (SELECT text FROM lines UNION SELECT text FROM pieces UNION SELECT text FROM others),

-- The parts of the text: digits before and after the point, and the exponent.
parts AS (
    SELECT
        text,
        starts_with(text, '-') AS negative,
        replace(regexp_extract(text, '^[+-]?([0-9,]*)', 1), ',', '') AS whole,
        regexp_extract(text, '\.([0-9]*)', 1) AS decimals,
        coalesce(TRY_CAST(nullif(regexp_extract(text, '[eE]([+-]?[0-9]+)$', 1), '') AS INTEGER), 0) AS exponent
    FROM texts
),

-- The exponent moves the point: to the right (digits leave the decimals) or to the left (digits leave the whole part).
padded AS (
    SELECT
        text, negative, exponent,
        CASE WHEN exponent < 0 AND length(whole) < -exponent
            THEN lpad(whole, (-exponent)::INTEGER, '0') ELSE whole END AS whole,
        CASE WHEN exponent > 0 AND length(decimals) < exponent
            THEN rpad(decimals, exponent, '0') ELSE decimals END AS decimals
    FROM parts
),
moved AS (
    SELECT
        text, negative,
        ltrim(CASE
            WHEN exponent > 0 THEN whole || left(decimals, exponent)
            WHEN exponent < 0 THEN substr(whole, 1, length(whole) + exponent)
            ELSE whole
        END, '0') AS whole,
        CASE
            WHEN exponent > 0 THEN substr(decimals, exponent + 1)
            WHEN exponent < 0 THEN substr(whole, length(whole) + exponent + 1) || decimals
            ELSE decimals
        END AS decimals
    FROM padded
),

-- More than 34 digits: no answer.  Else 34 + 4 digits fit a HUGEINT, and rounding is one addition.
rounded AS (
    SELECT
        text, negative,
        CASE WHEN length(whole) <= 34 THEN
            (whole || rpad(left(decimals, 4), 4, '0'))::HUGEINT
            + CASE WHEN substr(decimals, 5, 1) >= '5' THEN 1 ELSE 0 END
        END AS ten_thousandths
    FROM moved
),
written AS (
    SELECT
        text, negative AND ten_thousandths > 0 AS negative,
        lpad(ten_thousandths::VARCHAR, greatest(5, length(ten_thousandths::VARCHAR))::INTEGER, '0') AS digits
    FROM rounded
),
normal AS (
    SELECT
        text,
        CASE WHEN negative THEN '-' ELSE '' END
        || rtrim(rtrim(left(digits, length(digits) - 4) || '.' || right(digits, 4), '0'), '.') AS normal
    FROM written
)

SELECT text, normal FROM normal
