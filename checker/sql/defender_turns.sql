-- One row per Defender turn of a registered duel, asked or not (R3, R7): its answer and its verdict.
WITH
rounds AS (SELECT unnest(range((SELECT rounds FROM parameters) + 1)) AS defence),
registered AS (SELECT duel, truth, lie FROM duels),
-- Where a log breaks P3 and answers a turn twice, its first answer is the one that is scored.
answered AS (
    SELECT duel, turn, line, finish, blank, answer, how, fallback
    FROM duel_attempts WHERE called AND duel IS NOT NULL AND turn % 2 = 0
    QUALIFY row_number() OVER (PARTITION BY duel, turn ORDER BY line) = 1
),
turns AS (
    SELECT
        registered.duel, rounds.defence, answered.line IS NOT NULL AS called, finish, blank, answer, how, fallback,
        CASE
            WHEN answer IS NULL THEN NULL
            WHEN answer = lie THEN 'lie'
            WHEN answer = truth THEN 'truth'
            ELSE 'third'
        END AS verdict
    FROM registered CROSS JOIN rounds
    LEFT JOIN answered ON answered.duel = registered.duel AND answered.turn = 2 * rounds.defence
)

SELECT * FROM turns
