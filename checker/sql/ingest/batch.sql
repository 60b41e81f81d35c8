-- One row per line of the batch: whether it is sound (L3, L4, L5), and the raw JSON of a call's fields.
WITH
lines AS (
    SELECT batch_lines.log, batch_logs.run, line, text
    FROM batch_lines JOIN batch_logs USING (log)
),

-- Nearly every line is a call.  Cut at each `,"` it falls into `key":value` pieces, and cutting loses nothing: where
-- each piece is the key that L4 wants there and a value as L3 and L5 want it, the line is canonical as a whole.
-- (A line whose strings hold `,"` at an end falls into other pieces, and is looked at in the other way.)
cut AS (SELECT log, run, line, text, string_split(text, ',"') AS p FROM lines),
-- The schema's version, and where what follows the usage stands.
placed AS (
    SELECT
        *, CASE p[1] WHEN '{"v":1' THEN 1 WHEN '{"v":2' THEN 2 END AS v,
        CASE WHEN p[20] = 'usage":null' THEN 21 ELSE 25 END AS cost_at
    FROM cut
),
seen AS (
    SELECT
        *,
        p[6] = 'event":"call"'
        AND v IS NOT NULL
        AND p[2] = concat('run":"', run, '"')
        AND regexp_full_match(p[3], 'seq":{INTEGER}')
        AND regexp_full_match(p[4], 'at":"{TIME}"') AND TRY_CAST(p[4][6:29] AS TIMESTAMP) IS NOT NULL
        AND regexp_full_match(p[5], 'prev":"{DIGEST}"')
        AND p[7] IN ('phase":"main"', 'phase":"sudden_death"')
        AND regexp_full_match(p[8], 'round":{INTEGER}')
        AND regexp_full_match(p[9], 'attacker":"[^"\\\x00-\x1f]*"')
        AND regexp_full_match(p[10], 'fact":"[^"\\\x00-\x1f]*"')
        AND regexp_full_match(p[11], 'repeat":{INTEGER}')
        AND regexp_full_match(p[12], 'turn":{INTEGER}')
        AND regexp_full_match(p[13], 'attempt":{INTEGER}')
        AND p[14] IN ('role":"defender"', 'role":"attacker"')
        AND regexp_full_match(p[15], 'model":"[^"\\\x00-\x1f]*"')
        -- system and user are long, and P5 compares them with what they must be: see prompt_faults_of_batch
        AND starts_with(p[16], 'system":') AND starts_with(p[17], 'user":')
        AND starts_with(p[18], 'text":') AND regexp_full_match(p[18], 'text":{STRING}')
        AND p[19] IN ('finish":"stop"', 'finish":"length"', 'finish":"refusal"', 'finish":"unknown"')
        -- provider and "unsettled" are of version 2; and where settings stand in their place, no string before them was cut
        AND starts_with(p[cost_at + 3 + v], 'settings":')
        AND (v = 2 AND starts_with(p[cost_at + 4], 'provider":') OR v = 1 AND p[cost_at] <> 'cost":"unsettled"')
        AND starts_with(p[20], 'usage":') AND regexp_full_match(split_part(text, ',"usage":', 2), '{TAIL}')
        AS plain
    FROM placed
),

-- Every other line: one strict look at the whole line, against the pattern of the log schema.  TRY gives null for
-- what is no JSON at all.
looked_at AS (
    SELECT
        log, run, line, text, p, v, cost_at, coalesce(plain, false) AS plain,
        CASE
            WHEN plain THEN NULL
            WHEN v = 1 THEN regexp_full_match(text, '{LINE_1}')
            ELSE regexp_full_match(text, '{LINE_2}')
        END AS matches,
        CASE WHEN plain IS NOT TRUE THEN TRY(json_extract(text, [
            '$.run', '$.seq', '$.at', '$.event', '$.phase', '$.round', '$.attacker', '$.fact', '$.repeat', '$.turn',
            '$.attempt', '$.role', '$.model', '$.system', '$.user', '$.text', '$.finish', '$.cost', '$.settings',
            '$.usage.input', '$.usage.cached_input', '$.usage.cache_write', '$.usage.output', '$.usage.reasoning',
            '$.served', '$.fingerprint', '$.provider', '$.usage'
        ]))::VARCHAR[] END AS x
    FROM seen
),
judged AS (
    SELECT
        *, plain OR coalesce(
            matches AND x[1] = concat('"', run, '"') AND TRY_CAST(x[3][2:25] AS TIMESTAMP) IS NOT NULL, false
        ) AS sound
    FROM looked_at
)

SELECT
    log, sound, v,
    -- Where no line number came along, the pass over the bytes has proved the header, so `seq` is what follows.
    coalesce(line, TRY_CAST(CASE
        WHEN plain THEN p[3][6:] ELSE regexp_extract(text, '"seq":([0-9]+)', 1)
    END AS INTEGER) + 1) AS line,
    CASE WHEN plain THEN NULL ELSE text END AS text,
    CASE WHEN plain THEN 'call' ELSE inside(x[4]) END AS event,
    CASE WHEN plain THEN p[7][8:] ELSE x[5] END AS phase,
    CASE WHEN plain THEN p[8][8:] ELSE x[6] END AS round,
    CASE WHEN plain THEN p[9][11:] ELSE x[7] END AS attacker,
    CASE WHEN plain THEN p[10][7:] ELSE x[8] END AS fact,
    CASE WHEN plain THEN p[11][9:] ELSE x[9] END AS repeat,
    CASE WHEN plain THEN p[12][7:] ELSE x[10] END AS turn,
    CASE WHEN plain THEN p[13][10:] ELSE x[11] END AS attempt,
    CASE WHEN plain THEN p[14][7:] ELSE x[12] END AS role,
    CASE WHEN plain THEN p[15][8:] ELSE x[13] END AS model,
    CASE WHEN plain THEN p[16] ELSE concat('system":', x[14]) END AS system,
    CASE WHEN plain THEN p[17] ELSE concat('user":', x[15]) END AS user_text,
    CASE WHEN plain THEN p[18] ELSE concat('text":', x[16]) END AS said,
    CASE WHEN plain THEN p[19][9:] ELSE x[17] END AS finish,
    CASE WHEN plain THEN p[20] <> 'usage":null' ELSE x[28] <> 'null' END AS usage_there,
    TRY_CAST(CASE WHEN NOT plain THEN x[20] WHEN cost_at = 25 THEN p[20][17:] END AS BIGINT) AS input,
    TRY_CAST(CASE WHEN NOT plain THEN x[21] WHEN cost_at = 25 THEN p[21][15:] END AS BIGINT) AS cached_input,
    TRY_CAST(CASE WHEN NOT plain THEN x[22] WHEN cost_at = 25 THEN p[22][14:] END AS BIGINT) AS cache_write,
    TRY_CAST(CASE WHEN NOT plain THEN x[23] WHEN cost_at = 25 THEN p[23][9:] END AS BIGINT) AS output,
    TRY_CAST(CASE WHEN NOT plain THEN x[24] WHEN cost_at = 25 THEN p[24][12:-2] END AS BIGINT) AS reasoning,
    CASE WHEN plain THEN p[cost_at][7:] ELSE x[18] END AS cost,
    CASE WHEN plain THEN p[cost_at + 2][9:] ELSE x[25] END AS served,
    CASE WHEN plain THEN p[cost_at + 3][14:] ELSE x[26] END AS fingerprint,
    CASE WHEN NOT plain THEN x[27] WHEN v = 2 THEN p[cost_at + 4][11:] END AS provider,
    CASE WHEN plain THEN split_part(text, ',"settings":', 2) ELSE concat(x[19], '}') END AS settings
FROM judged
