-- One row per line of the batch: whether it is proved to be sound (L3, L4, L5).  A call written as nearly all are
-- (`plain`) leaves its fields as raw JSON; of every other line the text is kept, and its other columns mean nothing.
WITH
lines AS (SELECT log, line, text FROM batch_lines),
doubts AS (SELECT log, line FROM batch_doubts),
own AS (SELECT log, model AS own_model, ending AS own_ending, pieces AS own_pieces FROM batch_logs),
attackers AS (SELECT log, attacker, ending, pieces FROM batch_attackers),
prompts AS (SELECT log, fact, prompt, system FROM batch_prompts),

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
        placed.*, attacker, fact, system, doubts.line IS NOT NULL AS doubted,
        CASE WHEN turn % 2 = 0 THEN own_model ELSE attacker END AS model,
        CASE WHEN turn % 2 = 0 THEN own_ending ELSE attackers.ending END AS ending,
        CASE WHEN turn % 2 = 0 THEN own_pieces ELSE attackers.pieces END AS pieces,
        concat_ws(
            ',"', p[20], CASE cost_at WHEN 25 THEN concat_ws(',"', p[21], p[22], p[23], p[24]) END,
            p[cost_at], p[cost_at + 1], p[cost_at + 2], p[cost_at + 3], CASE v WHEN 2 THEN p[cost_at + 4] END
        ) AS middle
    FROM placed
    JOIN own USING (log)
    LEFT JOIN doubts ON doubts.log = placed.log AND doubts.line = placed.line
    LEFT JOIN attackers ON attackers.log = placed.log AND attackers.attacker = p[9][11:]
    LEFT JOIN prompts
        ON prompts.log = placed.log AND prompts.fact = p[10][7:] AND prompts.prompt = prompt_of(turn)
),
seen AS (
    -- The pass over the bytes has proved the header of each line that is not doubted.
    SELECT
        *, coalesce(
            {FAST} AND NOT doubted AND p[6] = 'event":"call"' AND p[7] = 'phase":"main"'
            AND p[8] = 'round":0' AND p[9] = 'attacker":' || attacker AND p[10] = 'fact":' || fact
            AND p[11] = 'repeat":' || repeat AND p[12] = 'turn":' || turn
            AND repeat BETWEEN 0 AND {MAX_INTEGER} AND turn BETWEEN 0 AND {MAX_INTEGER}
            AND p[13] BETWEEN 'attempt":1' AND 'attempt":9' AND strlen(p[13]) = 10
            AND p[14] = CASE WHEN turn % 2 = 0 THEN 'role":"defender"' ELSE 'role":"attacker"' END
            AND p[15] = 'model":' || model AND p[16] = system
            -- user is compared with what it must be where the reply before it is known: see unmatched_users
            AND starts_with(p[17], 'user":') AND regexp_full_match(p[18], 'text":{STRING}')
            AND p[19] IN ('finish":"stop"', 'finish":"length"', 'finish":"refusal"', 'finish":"unknown"')
            AND CASE v
                WHEN 1 THEN regexp_full_match(middle, '{MIDDLE_1}') WHEN 2 THEN regexp_full_match(middle, '{MIDDLE_2}')
            END
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
    p[6][9:-2] AS event, 'main' AS phase, 0::BIGINT AS round, attacker, fact, repeat, turn,
    TRY_CAST(p[13][10:] AS BIGINT) AS attempt,
    CASE WHEN turn % 2 = 0 THEN 'defender' ELSE 'attacker' END AS role, model,
    NULL::VARCHAR AS system, p[17] AS user_text, p[18] AS said, p[19][10:-2] AS finish, middle,
    NULL::VARCHAR AS settings, NULL::VARCHAR AS wanted_settings
FROM seen
