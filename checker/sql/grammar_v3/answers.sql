-- One row per reply: its normalised answer, how it was found (A8: only from its line), and the fallback beside it.
WITH
lines AS (SELECT id, line FROM answer_lines),
committed AS (SELECT line, number FROM line_values),
normal AS (SELECT text, normal FROM numbers),
answered AS (
    SELECT lines.id, normal.normal AS answer
    FROM lines
    LEFT JOIN committed USING (line)
    LEFT JOIN normal ON normal.text = committed.number
),

-- A8: the last piece that has a value.
fallbacks AS (
    SELECT pieces.id, arg_max(normal.normal, pieces.place) AS fallback
    FROM fallback_pieces AS pieces JOIN normal ON normal.text = pieces.number
    WHERE normal.normal IS NOT NULL
    GROUP BY pieces.id
),
both_ways AS (
    SELECT
        answered.id, answered.answer,
        CASE WHEN answered.answer IS NOT NULL THEN 'line' END AS how,
        CASE WHEN answered.answer IS NULL THEN fallbacks.fallback END AS fallback
    FROM answered LEFT JOIN fallbacks USING (id)
)

SELECT id, answer, how, fallback FROM both_ways
