-- What ingest keeps of money in the logs of every benchmark, and the price tables that they name.

-- One row per sound `price`.
CREATE TABLE prices (
    log INTEGER, line INTEGER, model VARCHAR, table_name VARCHAR, table_sha256 VARCHAR, date VARCHAR, source VARCHAR,
    input BIGINT, cached_input BIGINT, cache_write BIGINT, output BIGINT, reasoning BIGINT
);
-- One row per sound `request`; `asked` tells what is asked there from what is asked elsewhere in the log.
CREATE TABLE requests (
    log INTEGER, line INTEGER, model VARCHAR, asked VARCHAR, attempt BIGINT, reserve BIGINT
);
-- One row per sound `call` or `failure` that rules B2 and B3 have something to say of: one of version 2 with a cost, or
-- in a log with a price or a request.  `kind` is that of a failure; `cost` is as the log has it, without quotes.
CREATE TABLE outcomes (
    log INTEGER, line INTEGER, model VARCHAR, asked VARCHAR, attempt BIGINT, kind VARCHAR, usage_there BOOLEAN,
    input BIGINT, cached_input BIGINT, cache_write BIGINT, output BIGINT, reasoning BIGINT, cost VARCHAR
);
-- One row per log, model, `call` or `failure`, and who served: how many lines, what they used in sum and how many of
-- them say so, and what they cost.
CREATE TABLE uses (
    log INTEGER, model VARCHAR, called BOOLEAN, served VARCHAR, fingerprint VARCHAR, provider VARCHAR, lines BIGINT,
    input HUGEINT, inputs BIGINT, cached_input HUGEINT, cached_inputs BIGINT, cache_write HUGEINT, cache_writes BIGINT,
    output HUGEINT, outputs BIGINT, reasoning HUGEINT, reasonings BIGINT, cost HUGEINT, unpriced BIGINT
);
-- One row per model that a log is of or is fought with, and whether AMENDMENTS.json names it.
CREATE TABLE model_names (model VARCHAR, amended BOOLEAN);
-- One row per price table that a log names: what is wrong with it (null if nothing), else its date.
CREATE TABLE price_tables (table_name VARCHAR, sha256 VARCHAR, fault VARCHAR, date VARCHAR);
-- One row per row of a sound price table.
CREATE TABLE price_rows (
    table_name VARCHAR, model VARCHAR, source VARCHAR, input BIGINT, cached_input BIGINT, cache_write BIGINT,
    output BIGINT, reasoning BIGINT
);
