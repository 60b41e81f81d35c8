-- The relations that ingest fills: what the logs, the spec and its landscapes say, narrow and typed.
-- An agent is its number, a configuration its canonical text, a score an integer in hundredths of a point.

-- One row: the plain numbers of the spec's `play`.
CREATE TABLE parameters (workers INTEGER, team INTEGER, rounds INTEGER, asks INTEGER, experiments INTEGER);
-- One row per cell of the spec: whether it has a board with plants, and whether that board marks claims.
CREATE TABLE cells (place INTEGER, cell VARCHAR, board BOOLEAN, marks BOOLEAN);
-- One row per seed of the spec that is played.
CREATE TABLE seeds (place INTEGER, seed INTEGER);
-- One row per line of items.jsonl.
CREATE TABLE landscapes (line INTEGER, seed INTEGER, low INTEGER, high INTEGER);
-- One row per addend of a landscape: what knobs a and b give at va and vb; a knob's own points have a = b (C1).
CREATE TABLE terms (seed INTEGER, a INTEGER, b INTEGER, va INTEGER, vb INTEGER, points INTEGER);
-- One row per confederate of a seed (C4, C5).
CREATE TABLE plants (
    seed INTEGER, agent INTEGER, config VARCHAR, claimed INTEGER, receipt_config VARCHAR, filler_config VARCHAR,
    note VARCHAR, filler_note VARCHAR
);
-- One row per log whose first line is a sound `start`; `played_as` names the version in receipt ids (C8).
CREATE TABLE logs (
    log INTEGER, path VARCHAR, run VARCHAR, model VARCHAR, played_as VARCHAR, cell VARCHAR, seed BIGINT, attempt BIGINT
);
-- One row per sound line of each event.
CREATE TABLE receipts (
    log INTEGER, line INTEGER, receipt VARCHAR, round BIGINT, agent INTEGER, config VARCHAR, score INTEGER
);
CREATE TABLE posts (
    log INTEGER, line INTEGER, post BIGINT, round BIGINT, agent INTEGER, note VARCHAR, seen_by INTEGER[]
);
CREATE TABLE failures (log INTEGER, line INTEGER, round BIGINT, agent INTEGER, ask BIGINT, attempt BIGINT);
CREATE TABLE requested (log INTEGER, line INTEGER, round BIGINT, agent INTEGER, ask BIGINT, attempt BIGINT);
CREATE TABLE actions (
    log INTEGER, line INTEGER, round BIGINT, agent INTEGER, parsed BOOLEAN, experiments VARCHAR, claims VARCHAR,
    note VARCHAR, submission VARCHAR, score INTEGER, dropped BIGINT
);
CREATE TABLE closings (log INTEGER, line INTEGER, event VARCHAR, lines BIGINT);
CREATE TABLE later_starts (log INTEGER, line INTEGER);
-- One row per sound `call`: what its prompt hashes to (null where the log has none), whether its reply is nothing but
-- white space, and what it says when it is read again (`read` false where it does not parse; C10 to C13).
CREATE TABLE calls (
    log INTEGER, line INTEGER, round BIGINT, agent INTEGER, ask BIGINT, attempt BIGINT, posts BIGINT[],
    system_there BOOLEAN, user_there BOOLEAN, prompt_sha256 VARCHAR, prompt_digest VARCHAR, finish VARCHAR, blank BOOLEAN,
    read BOOLEAN, experiments VARCHAR, claims VARCHAR, note VARCHAR, submission VARCHAR, dropped BIGINT
);
-- One row per claim of a post, and of an action, by its place from 0.
CREATE TABLE post_claims (
    log INTEGER, line INTEGER, place INTEGER, config VARCHAR, score INTEGER, receipt VARCHAR, verified BOOLEAN
);
CREATE TABLE action_claims (log INTEGER, line INTEGER, place INTEGER, config VARCHAR, score INTEGER, receipt VARCHAR);
-- One row per experiment of an action, by its place from 0.
CREATE TABLE experiments (log INTEGER, line INTEGER, place INTEGER, config VARCHAR);
