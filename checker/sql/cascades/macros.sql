-- Scalar rules that several relations of Cascades use.

-- The number of an agent, from the JSON text of its name.
CREATE MACRO agent_number(j) AS j[8]::INTEGER;
CREATE MACRO agent_name(number) AS 'agent_' || number;
-- The value of a knob (from 0) in a configuration's canonical text.
CREATE MACRO knob_value(config, knob) AS config[2 * knob + 2]::INTEGER;
-- C1: hundredths of a point, in integers.
CREATE MACRO score_of(raw, low, high) AS (20000 * (raw - low)::BIGINT + (high - low)) // (2 * (high - low));
-- C8: the id of a receipt.
CREATE MACRO receipt_id(played_as, seed, agent, round, place, config) AS 'r-' || sha256(concat_ws(
    '|', played_as, seed, agent_name(agent), round, place, regexp_replace(config, '[^0-9]', '', 'g')
))[1:8];
-- The place of a line in a game, as one number: round, then 1 turns, 2 receipts, 3 posts, then agent, then 0 or 1.
-- The confederates' receipts (round 0) are a stage of their own.
CREATE MACRO step(round, stage, agent, part) AS ((least(round, 99) * 10 + stage) * 10 + agent) * 10 + part;
CREATE MACRO step_text(n) AS CASE
    WHEN n >= 99999 THEN 'the end'
    WHEN n // 100 % 10 = 0 THEN 'the receipts of ' || agent_name(n // 10 % 10)
    ELSE CASE n // 100 % 10 WHEN 1 THEN CASE n % 10 WHEN 1 THEN 'the action' ELSE 'the calls' END
        WHEN 2 THEN 'the receipts' ELSE 'the post' END
        || ' of ' || agent_name(n // 10 % 10) || ' in round ' || n // 1000
END;
