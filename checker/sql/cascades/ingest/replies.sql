-- One row per different reply of the batch and scope in which it is read; one that was cut or refused is not (C10).
WITH
calls AS (SELECT DISTINCT text, scope FROM batch_calls WHERE readable)

SELECT row_number() OVER () AS id, text, scope FROM calls
