-- One row per sound `call` of the batch; names stay the raw JSON of the log, so that they are never unescaped twice.
-- user_text and said still carry their key and their quotes.
-- What `batch` leaves out of a plain call is put in.
WITH
sound AS (SELECT * FROM batch WHERE sound AND event = 'call')

SELECT
    * REPLACE (
        coalesce(phase, 'main') AS phase, coalesce(round, 0) AS round,
        coalesce(role, if(turn % 2 = 0, 'defender', 'attacker')) AS role
    ),
    -- nothing but U+0009 to U+000D and U+0020, as the log escapes them
    regexp_full_match(said, 'text":"(?: |\\[tnfr]|\\u000b)*"') AS blank
FROM sound
