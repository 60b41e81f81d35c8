-- One row per Defender reply of the batch, as plain text: what the grammar reads.
WITH
calls AS (SELECT id, turn, said FROM batch_calls)

SELECT id, concat('{"', said, '}') ->> '$.text' AS text FROM calls WHERE turn % 2 = 0
