-- One row per plain call of the batch whose user prompt is not what the reply before it makes of it (P5), or where none
-- is known: whether it is at least a canonical string.  `batch` has no text of those whose prompt holds no reply.
WITH
calls AS (SELECT * FROM batch WHERE sound AND event = 'call'),
doubtful AS (SELECT * FROM calls WHERE user_text IS NOT NULL),
prompts AS (SELECT * FROM batch_prompts),
before AS (SELECT log, attacker, fact, repeat, turn + 1 AS turn, said FROM calls),
-- What was said before stays escaped: escaping works character by character, so the escaped text of a prompt with the
-- escaped reply in its place is the escaped prompt (R4).
expected AS (
    SELECT
        calls.log, calls.line, calls.user_text, CASE
            WHEN before.log IS NOT NULL THEN replace(prompts.user_text, chr(1), before.said[8:-2])
            WHEN NOT contains(prompts.user_text, chr(1)) THEN prompts.user_text
        END AS wanted
    FROM doubtful AS calls
    LEFT JOIN before
        ON before.log = calls.log AND before.turn = calls.turn AND before.repeat = calls.repeat
        AND before.attacker = calls.attacker AND before.fact = calls.fact
    LEFT JOIN prompts
        ON prompts.log = calls.log AND prompts.fact = calls.fact AND prompts.prompt = prompt_of(calls.turn)
)

SELECT log, line, regexp_full_match(user_text, 'user":(?:null|{STRING})') AS canonical
FROM expected WHERE user_text IS DISTINCT FROM wanted
