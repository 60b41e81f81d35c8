-- One row per reply: its normalised answer, how it was found, and the fallback number (A5).
WITH
found AS (SELECT id, number, how FROM found_numbers),
normal AS (SELECT text, normal FROM numbers),
answered AS (
    SELECT
        found.id, normal.normal AS answer, found.how,
        CASE WHEN found.how = 'fallback' THEN normal.normal END AS fallback
    FROM found LEFT JOIN normal ON normal.text = found.number
)

SELECT id, answer, how, fallback FROM answered
