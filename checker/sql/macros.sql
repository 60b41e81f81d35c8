-- Scalar rules that several relations use.

-- R15: the Wilson score interval, exact at the ends; null for n = 0.
CREATE MACRO wilson_centre(p, n, z) AS (p + z * z / (2 * n)) / (1 + z * z / n);
CREATE MACRO wilson_half(p, n, z) AS z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
CREATE MACRO rate_value(k, n) AS CASE WHEN n > 0 THEN k::DOUBLE / n::DOUBLE END;
CREATE MACRO rate_lo(k, n) AS CASE
    WHEN n = 0 THEN NULL
    WHEN k = 0 THEN 0::DOUBLE
    ELSE greatest(0::DOUBLE, wilson_centre(k::DOUBLE / n, n::DOUBLE, 1.959963984540054::DOUBLE)
        - wilson_half(k::DOUBLE / n, n::DOUBLE, 1.959963984540054::DOUBLE))
END;
CREATE MACRO rate_hi(k, n) AS CASE
    WHEN n = 0 THEN NULL
    WHEN k = n THEN 1::DOUBLE
    ELSE least(1::DOUBLE, wilson_centre(k::DOUBLE / n, n::DOUBLE, 1.959963984540054::DOUBLE)
        + wilson_half(k::DOUBLE / n, n::DOUBLE, 1.959963984540054::DOUBLE))
END;
CREATE MACRO rate(k, n) AS
    {'k': k::BIGINT, 'n': n::BIGINT, 'value': rate_value(k, n), 'lo': rate_lo(k, n), 'hi': rate_hi(k, n)};

-- ASCII letters only: SQL's own lower() would also turn U+0130, U+212A and others into ASCII.
CREATE MACRO ascii_lower(t) AS translate(t, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
-- regexp_extract gives '' for no match; a pattern here always captures at least one character where it matches.
CREATE MACRO captured(t, pattern, nth) AS nullif(regexp_extract(t, pattern, nth), '');

-- A1 of grammars v1 and v2: the double's exact value with four decimals; digits beyond a double are `inf`.
CREATE MACRO normal_double(t) AS CASE
    WHEN TRY_CAST(t AS DOUBLE) IS NULL OR isinf(TRY_CAST(t AS DOUBLE)) THEN 'inf'
    -- From 2^53 on a double is an integer, and printf no longer writes all its digits.
    WHEN abs(TRY_CAST(t AS DOUBLE)) >= 9007199254740992 THEN TRY_CAST(t AS DOUBLE)::BIGNUM::VARCHAR
    ELSE rtrim(rtrim(printf('%.4f', TRY_CAST(t AS DOUBLE)), '0'), '.')
END;

-- Raw JSON text of one value, as the log holds it.  Integers as L3 writes them, with at most 18 digits.
CREATE MACRO is_integer(j) AS coalesce(length(j) <= 18 AND TRY_CAST(j AS BIGINT)::VARCHAR = j, false);
CREATE MACRO is_string(j) AS starts_with(j, '"');
-- R4: which user prompt a turn has.
CREATE MACRO prompt_of(turn) AS CASE WHEN turn = 0 THEN 'opening' WHEN turn % 2 = 0 THEN 'challenge' ELSE 'turn' END;
-- A name as DuckDB writes it: it has \u001F where a log has \u001f.
CREATE MACRO json_name(j) AS CASE WHEN contains(j, '\u00') THEN to_json(j ->> '$')::VARCHAR ELSE j END;
-- The text between the quotes, still escaped.
CREATE MACRO inside(j) AS substr(j, 2, length(j) - 2);
