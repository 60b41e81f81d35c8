-- One row per sound `call` of the batch; names stay the raw JSON of the log, so that they are never unescaped twice.
-- system, user_text and said still carry their key and their quotes.
WITH
sound AS (SELECT * FROM batch WHERE sound AND event = '"call"'),
calls AS (
    SELECT
        log, line, inside(phase) AS phase, round::BIGINT AS round, attacker, fact, repeat::BIGINT AS repeat,
        turn::BIGINT AS turn, attempt::BIGINT AS attempt, inside(role) AS role, model, system, user_text, said,
        inside(finish) AS finish, TRY_CAST(cost AS BIGINT) AS cost, settings, text,
        log::BIGINT * 4294967296 + line AS id
    FROM sound
)

SELECT * FROM calls
