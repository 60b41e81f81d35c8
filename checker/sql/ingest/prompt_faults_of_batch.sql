-- One row per call of the batch whose system, user or settings is not what P5 and P6 ask for.
WITH
calls AS (SELECT * FROM batch_calls),
logs_of_batch AS (SELECT log, imported FROM logs),
prompts AS (SELECT * FROM batch_prompts),
settings_of_routes AS (SELECT route, settings FROM routes),
amended AS (SELECT model, settings FROM amended_settings),

-- What was said before, still escaped: escaping works character by character, so the escaped parts of a prompt
-- joined by the escaped reply are the escaped prompt (R4).
turns AS (
    SELECT
        calls.*, logs_of_batch.imported, before.said[8:-2] AS reply,
        CASE WHEN calls.turn = 0 THEN 'opening' WHEN calls.turn % 2 = 0 THEN 'challenge' ELSE 'turn' END AS prompt,
        coalesce(amended.settings, settings_of_routes.settings, '(no such route)') AS route_settings
    FROM calls
    JOIN logs_of_batch USING (log)
    LEFT JOIN calls AS before
        ON before.log = calls.log AND before.turn = calls.turn - 1 AND before.attacker = calls.attacker
        AND before.fact = calls.fact AND before.repeat = calls.repeat AND before.round = calls.round
        AND before.phase = calls.phase
    LEFT JOIN settings_of_routes
        ON settings_of_routes.route = split_part(inside(calls.model), ':', 1) AND contains(calls.model, ':')
    LEFT JOIN amended ON amended.model = calls.model
),
expected AS (
    SELECT
        turns.*, concat('system":', prompts.system) AS wanted_system,
        CASE len(prompts.parts)
            WHEN 1 THEN concat('user":"', prompts.parts[1], '"')
            WHEN 2 THEN concat('user":"', prompts.parts[1], turns.reply, prompts.parts[2], '"')
            ELSE concat('user":"', list_reduce(
                prompts.parts, lambda so_far, part: concat(so_far, turns.reply, part)
            ), '"')
        END AS wanted_user,
        prompts.log IS NOT NULL AND (turns.turn = 0 OR turns.reply IS NOT NULL) AS known
    FROM turns LEFT JOIN prompts
        ON prompts.log = turns.log AND prompts.fact = turns.fact AND prompts.prompt = turns.prompt
),

-- `text` is kept for the lines whose settings JSON may be written in another way than the spec's: there the raw end
-- of the line decides.
judged AS (
    SELECT
        *,
        CASE WHEN imported THEN system <> 'system":null' ELSE known AND system IS DISTINCT FROM wanted_system END AS bad_system,
        CASE WHEN imported THEN user_text <> 'user":null' ELSE known AND user_text IS DISTINCT FROM wanted_user END AS bad_user,
        CASE
            WHEN imported THEN settings <> 'null}'
            WHEN text IS NULL THEN settings IS DISTINCT FROM concat(route_settings, '}')
            ELSE NOT ends_with(text, ',"settings":' || route_settings || '}')
        END AS bad_settings
    FROM expected
),
faulty AS (SELECT * FROM judged WHERE bad_system OR bad_user OR bad_settings),
-- A system or user that is not what it must be has not been looked at yet: it may not even be a canonical string.
faults AS (
    SELECT log, line, imported, unnest([
        {'bad': bad_system, 'rule': CASE WHEN regexp_full_match(system, 'system":(?:null|{STRING})')
            THEN 'P5' ELSE 'L3' END, 'field': 'system', 'expected': wanted_system, 'found': system},
        {'bad': bad_user, 'rule': CASE WHEN regexp_full_match(user_text, 'user":(?:null|{STRING})')
            THEN 'P5' ELSE 'L3' END, 'field': 'user', 'expected': wanted_user, 'found': user_text},
        {'bad': bad_settings, 'rule': CASE WHEN imported THEN 'P5' ELSE 'P6' END, 'field': 'settings',
         'expected': route_settings, 'found': settings}
    ], recursive := true)
    FROM faulty
)

SELECT
    log, line, rule, field, CASE WHEN imported THEN 'null' ELSE left(expected, 4000) END AS expected,
    left(found, 4000) AS found
FROM faults WHERE bad
