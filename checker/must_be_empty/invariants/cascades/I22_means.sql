-- I22: In Cascades, a mean is possible for its size: `team_score` · `n` · 6000 is a whole number, and `mean_score` ·
-- 100 times the number of some of a cell's slots is one.
WITH
scores AS (
    SELECT
        file, line, model, field || '.value' AS field, value, n,
        -- A game's score is a whole number of hundredths over 1 to 5 submissions, which all divide 60.
        value * n * 6000 AS product
    FROM rates WHERE kind = 'mean' AND value IS NOT NULL
),
teams AS (
    SELECT
        file, line, model, field, 'the mean of ' || n || ' team scores' AS expected, value::VARCHAR AS found,
        n > 0 AND abs(product - round(product)) <= 1e-12 * greatest(product, 1e6) AS holds
    FROM scores
),
cells AS (
    SELECT file, model, element ->> '$.cell' AS cell, 5 * whole_at(element, '$.games') AS slots
    FROM elements WHERE list = 'cells'
),
rounds AS (
    SELECT
        elements.file, line, elements.model, label || '.mean_score' AS field, slots,
        float_at(element, '$.mean_score') AS mean
    FROM elements JOIN cells ON cells.file = elements.file AND cells.model = elements.model
        AND cells.cell = element ->> '$.cell'
    WHERE list = 'rounds' AND float_at(element, '$.mean_score') IS NOT NULL
),
submissions AS (
    SELECT
        file, line, model, field, 'the mean of 1 to ' || slots || ' scores' AS expected, mean::VARCHAR AS found,
        mean BETWEEN 0 AND 100 AND list_bool_or(list_transform(
            range(1, slots + 1), lambda n: abs(mean * 100 * n - round(mean * 100 * n)) <= 1e-7
        )) AS holds
    FROM rounds
),
places AS (SELECT * FROM teams UNION ALL SELECT * FROM submissions)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
