-- One row per sound `call` of the batch; names stay the raw JSON of the log, so that they are never unescaped twice.
-- system, user_text and said still carry their key and their quotes.
WITH
sound AS (SELECT * FROM batch WHERE sound AND event = 'call'),
calls AS (
    SELECT
        log, line, inside(phase) AS phase, round::BIGINT AS round, attacker, fact, repeat::BIGINT AS repeat,
        turn::BIGINT AS turn, attempt::BIGINT AS attempt, inside(role) AS role, model, system, user_text, said,
        inside(finish) AS finish, settings, text,
        -- nothing but U+0009 to U+000D and U+0020, as the log or DuckDB escapes them
        regexp_full_match(said, 'text":"(?: |\\[tnfr]|\\u000[bB])*"') AS blank,
        log::BIGINT * 4294967296 + line AS id
    FROM sound
)

SELECT * FROM calls
