-- The relations that ingest fills: what the logs, the spec and its facts say, narrow and typed.

-- One row per fact of items.jsonl.
CREATE TABLE items (place INTEGER, fact VARCHAR);
-- One row per log whose first line is a sound `start`.
CREATE TABLE logs (log INTEGER, path VARCHAR, run VARCHAR, model VARCHAR, imported BOOLEAN, repeats INTEGER);
-- One row per Attacker of a log.
CREATE TABLE log_attackers (log INTEGER, attacker VARCHAR);
-- One row per fact of a log.
CREATE TABLE log_facts (log INTEGER, fact VARCHAR, question VARCHAR, truth VARCHAR, lie VARCHAR);
-- One row per sound line that is neither `start` nor `call` nor `failure`.
CREATE TABLE sudden_deaths (log INTEGER, line INTEGER, round BIGINT, among VARCHAR[], fact VARCHAR);
CREATE TABLE stated (
    log INTEGER, line INTEGER, attacker VARCHAR, fact VARCHAR, repeat BIGINT,
    answers VARCHAR[], caved BOOLEAN[], final_wrong BOOLEAN
);
CREATE TABLE stated_totals (log INTEGER, line INTEGER, caves BIGINT, champion VARCHAR);
CREATE TABLE finishes (log INTEGER, line INTEGER, lines BIGINT, duels BIGINT);
CREATE TABLE later_starts (log INTEGER, line INTEGER);
-- One row per sound `call` (an answer) or `failure` (none: text is not kept, and finish is null); `blank` says that the
-- answer is nothing but white space.
CREATE TABLE attempts (
    log INTEGER, line INTEGER, called BOOLEAN, phase VARCHAR, round BIGINT, attacker VARCHAR, fact VARCHAR,
    repeat BIGINT, turn BIGINT, attempt BIGINT, role VARCHAR, model VARCHAR, finish VARCHAR, blank BOOLEAN,
    answer VARCHAR, how VARCHAR, fallback VARCHAR
);
-- One row per sound `request`.
CREATE TABLE requested (
    log INTEGER, line INTEGER, phase VARCHAR, round BIGINT, attacker VARCHAR, fact VARCHAR, repeat BIGINT, turn BIGINT,
    attempt BIGINT, role VARCHAR, model VARCHAR
);
-- One row per call that breaks P5 or P6.
CREATE TABLE prompt_faults (log INTEGER, line INTEGER, rule VARCHAR, field VARCHAR, expected VARCHAR, found VARCHAR);
-- One row per number text that the grammar has normalised.
CREATE TABLE normal_numbers (text VARCHAR, normal VARCHAR);
