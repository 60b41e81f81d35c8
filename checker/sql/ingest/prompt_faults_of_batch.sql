-- One row per call of the batch whose system, user or settings is not what P5 and P6 ask for.  Of a plain call only the
-- user prompt can be wrong, and system and settings are null here.
WITH
calls AS (SELECT * FROM batch_calls),
logs_of_batch AS (SELECT log, imported FROM logs),
prompts AS (SELECT * FROM batch_prompts),
unmatched AS (SELECT log, line FROM unmatched_users),
-- A plain call that stands on one which is not plain was compared without it: unmatched_users knows plain ones alone.
after_others AS (
    SELECT log, phase, round, attacker, fact, repeat, turn + 1 FROM calls WHERE system IS NOT NULL
),
suspects AS (
    SELECT * FROM calls
    WHERE system IS NOT NULL OR (log, line) IN (FROM unmatched)
        OR (log, phase, round, attacker, fact, repeat, turn) IN (FROM after_others)
),
before AS (
    SELECT log, phase, round, attacker, fact, repeat, turn + 1 AS turn, said AS said_before
    FROM calls WHERE log IN (SELECT log FROM suspects)
),
expected AS (
    SELECT
        suspects.*, logs_of_batch.imported, prompts.system AS wanted_system, CASE
            WHEN said_before IS NOT NULL THEN replace(prompts.user_text, chr(1), said_before[8:-2])
            WHEN NOT contains(prompts.user_text, chr(1)) THEN prompts.user_text
        END AS wanted_user
    FROM suspects
    JOIN logs_of_batch USING (log)
    LEFT JOIN before USING (log, phase, round, attacker, fact, repeat, turn)
    LEFT JOIN prompts
        ON prompts.log = suspects.log AND prompts.fact = suspects.fact AND prompts.prompt = prompt_of(turn)
),

-- In an imported run both prompts are null, whatever the fact.
faults AS (
    SELECT log, line, unnest([
        {'rule': 'P5', 'field': 'system', 'expected': if(imported, 'system":null', wanted_system), 'found': system},
        {'rule': 'P5', 'field': 'user', 'expected': if(imported, 'user":null', wanted_user), 'found': user_text},
        {'rule': if(imported, 'P5', 'P6'), 'field': 'settings', 'expected': wanted_settings, 'found': settings}
    ], recursive := true)
    FROM expected
)

SELECT log, line, rule, field, left(expected, 4000) AS expected, left(found, 4000) AS found
FROM faults WHERE expected <> found
