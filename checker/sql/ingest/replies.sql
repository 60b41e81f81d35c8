-- One row per different Defender reply of the batch, as the log writes it and as plain text: what the grammar reads.
WITH
texts AS (SELECT DISTINCT said FROM batch_calls WHERE turn % 2 = 0)

SELECT row_number() OVER () AS id, said, concat('{"', said, '}') ->> '$.text' AS text FROM texts
