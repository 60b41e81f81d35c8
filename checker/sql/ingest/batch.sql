-- One row per line of the batch: whether it is proved to be sound (L3, L4, L5).  A call written as nearly all are
-- (`plain`) leaves its fields as raw JSON; of every other line the text is kept, and its other columns mean nothing.
WITH
lines AS (SELECT log, line, text FROM batch_lines),
doubts AS (SELECT log, line FROM batch_doubts),
-- Each with its key before it, as a piece of a line has it.
speakers AS (
    SELECT
        log, concat('attacker":', attacker) AS attacker_piece, attacker, concat('role":"', role, '"') AS role_piece,
        concat('model":', model) AS model_piece, model, ending, pieces, if(role = 'defender', 0, 1) AS odd
    FROM batch_speakers
),
prompts AS (
    SELECT
        log, concat('fact":', fact) AS fact_piece, fact, prompt,
        -- No call is plain whose prompts hold the escape of NUL: that a line has them as the spec does is no proof (L2).
        CASE WHEN NOT contains(concat(system, user_text), '\u0000') THEN system END AS system,
        CASE WHEN NOT contains(user_text, chr(1)) THEN user_text END AS fixed_user
    FROM batch_prompts
),

-- Cut at each `,"` a line falls into `key":value` pieces, and cutting loses nothing: where each piece is the key that
-- L4 wants there and a value as L3 and L5 want it, the line is canonical as a whole.  (A line whose strings begin or end
-- in a comma falls into other pieces.)
cut AS (SELECT log, line AS counted, text, string_split(text, ',"') AS p FROM lines),
-- The number of the line (where none came along, the pass over the bytes has proved `seq`), the version, where what
-- follows the usage stands, and the numbers.
placed AS (
    SELECT
        *, coalesce(counted, TRY_CAST(p[3][6:] AS INTEGER) + 1) AS line,
        CASE p[1] WHEN '{"v":1' THEN 1 WHEN '{"v":2' THEN 2 END AS v,
        CASE WHEN p[20] = 'usage":null' THEN 21 ELSE 25 END AS cost_at,
        TRY_CAST(p[11][9:] AS BIGINT) AS repeat, TRY_CAST(p[12][7:] AS BIGINT) AS turn
    FROM cut
),
-- What the spec and the first line of the log say of a call of that turn, Attacker and fact.
known AS (
    SELECT
        placed.*, attacker, role_piece, model_piece, model, ending, pieces, fact, system, fixed_user,
        doubts.line IS NOT NULL AS doubted,
        concat_ws(
            ',"', p[20], CASE cost_at WHEN 25 THEN concat_ws(',"', p[21], p[22], p[23], p[24]) END,
            p[cost_at], p[cost_at + 1], p[cost_at + 2], p[cost_at + 3], CASE v WHEN 2 THEN p[cost_at + 4] END
        ) AS middle
    FROM placed
    LEFT JOIN doubts ON doubts.log = placed.log AND doubts.line = placed.line
    LEFT JOIN speakers
        ON speakers.log = placed.log AND speakers.attacker_piece = p[9] AND speakers.odd = turn % 2
    LEFT JOIN prompts
        ON prompts.log = placed.log AND prompts.fact_piece = p[10] AND prompts.prompt = prompt_of(turn)
),
seen AS (
    -- The pass over the bytes has proved the header of each line that is not doubted.
    SELECT
        *, coalesce(
            {FAST} AND NOT doubted AND p[6] = 'event":"call"' AND p[7] = 'phase":"main"'
            AND p[8] = 'round":0' AND attacker IS NOT NULL AND fact IS NOT NULL
            AND p[11] = 'repeat":' || repeat AND p[12] = 'turn":' || turn
            AND repeat BETWEEN 0 AND {MAX_INTEGER} AND turn BETWEEN 0 AND {MAX_INTEGER}
            AND p[13] BETWEEN 'attempt":1' AND 'attempt":9' AND strlen(p[13]) = 10
            AND p[14] = role_piece AND p[15] = model_piece AND p[16] = system
            -- user is compared with what it must be where the reply before it is known (unmatched_users), and what stands
            -- between finish and settings is looked at once for each different text (unsound_middles)
            AND starts_with(p[17], 'user":') AND regexp_full_match(p[18], 'text":{STRING}')
            AND p[19] IN ('finish":"stop"', 'finish":"length"', 'finish":"refusal"', 'finish":"unknown"')
            AND v IS NOT NULL
            -- the settings, which end the line: as many pieces as they have, and nothing more
            AND len(p) = cost_at + 2 + v + pieces AND ends_with(text, ending),
            false
        ) AS plain
    FROM known
)

SELECT
    log, line, v, CASE WHEN plain THEN NULL ELSE text END AS text,
    -- Every other event: one strict look at the whole line, against the pattern of the log schema.
    CASE
        WHEN plain THEN true
        WHEN doubted OR p[6] = 'event":"call"' OR NOT {FAST} THEN false
        WHEN v = 1 THEN regexp_full_match(text, '{LINE_1}')
        WHEN v = 2 THEN regexp_full_match(text, '{LINE_2}')
        ELSE false  -- and where text is null: not UTF-8
    END IS TRUE AS sound,
    -- What every plain call has alike is null here, and so is a user prompt that is no other than it must be.
    p[6][9:-2] AS event, NULL::VARCHAR AS phase, NULL::BIGINT AS round, attacker, fact, repeat, turn,
    TRY_CAST(p[13][10:] AS BIGINT) AS attempt, NULL::VARCHAR AS role, model,
    NULL::VARCHAR AS system, CASE WHEN p[17] IS DISTINCT FROM fixed_user THEN p[17] END AS user_text, p[18] AS said,
    p[19][10:-2] AS finish, middle, NULL::VARCHAR AS settings, NULL::VARCHAR AS wanted_settings
FROM seen
