-- What is kept of the money in a batch: its prices and requests, and of calls and failures sums, or narrow rows where
-- rules B2 and B3 apply.  `batch_attempts` is the benchmark's own.
INSERT INTO prices
SELECT
    log, line, text ->> '$.model', text ->> '$.table', text ->> '$.table_sha256', text ->> '$.date',
    text ->> '$.source', (text ->> '$.input')::BIGINT, (text ->> '$.cached_input')::BIGINT,
    (text ->> '$.cache_write')::BIGINT, (text ->> '$.output')::BIGINT, (text ->> '$.reasoning')::BIGINT
FROM batch WHERE sound AND event = 'price';

INSERT INTO requests
SELECT log, line, model ->> '$', asked, attempt, reserve FROM batch_attempts WHERE event = 'request';

-- In two halves, each of which DuckDB leaves at once where it has nothing to give.
INSERT INTO outcomes
SELECT
    log, line, model ->> '$', asked, attempt, kind, usage_there, input, cached_input, cache_write, output, reasoning,
    trim(cost, '"')
FROM (
    SELECT * FROM batch_attempts WHERE cost <> '"unpriced"'
    UNION ALL
    SELECT * FROM batch_attempts
    WHERE cost = '"unpriced"' AND log IN (SELECT log FROM prices UNION SELECT log FROM requests)
)
WHERE event <> 'request' AND v = 2;

-- Names are grouped as the log writes them, and read only then.  A failure of version 1 states no cost: it is unpriced.
INSERT INTO uses
SELECT
    log, model ->> '$', called, served ->> '$', fingerprint ->> '$', provider ->> '$', lines,
    input, inputs, cached_input, cached_inputs, cache_write, cache_writes, output, outputs, reasoning, reasonings,
    cost, unpriced
FROM (
    SELECT
        log, model, event = 'call' AS called, served, fingerprint, provider, count(*) AS lines,
        sum(input) AS input, count(input) AS inputs, sum(cached_input) AS cached_input,
        count(cached_input) AS cached_inputs, sum(cache_write) AS cache_write, count(cache_write) AS cache_writes,
        sum(output) AS output, count(output) AS outputs, sum(reasoning) AS reasoning, count(reasoning) AS reasonings,
        sum(CASE WHEN cost NOT LIKE '"%' THEN cost::BIGINT END) AS cost,
        count(*) FILTER (cost IS NULL OR cost = '"unpriced"') AS unpriced
    FROM batch_attempts WHERE event <> 'request' GROUP BY ALL
);
