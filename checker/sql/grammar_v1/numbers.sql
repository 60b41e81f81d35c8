-- One row per different number text of the batch, normalised by A1 (truth, lie and stated answers are among them).
WITH
found AS (SELECT DISTINCT number AS text FROM found_numbers WHERE number IS NOT NULL),
others AS (SELECT DISTINCT text FROM other_numbers WHERE regexp_full_match(text, '-?[0-9]+(?:\.[0-9]+)?')),
texts AS (SELECT text FROM found UNION SELECT text FROM others),
normal AS (SELECT text, normal_double(text) AS normal FROM texts)

SELECT text, normal FROM normal
