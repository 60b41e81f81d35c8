-- One row per worker slot of a table that states its slots: what it submitted in the end.
WITH
slots AS (SELECT * FROM elements WHERE list = 'slots')

SELECT
    file, line, label, model, element ->> '$.run' AS run, whole_at(element, '$.seed') AS seed,
    json_type(element, '$.submission') = 'ARRAY' AS submitted, whole_at(element, '$.score') AS score,
    element ->> '$.adopted' = 'true' AS adopted, element ->> '$.plant' AS plant,
    element ->> '$.checked' = 'true' AS checked
FROM slots
