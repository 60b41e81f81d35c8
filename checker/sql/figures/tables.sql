-- What tables state, taken apart in the same way for the checker's own numbers and for every file of tables/.

-- One row per element of a list of a table, and one for its `totals`: `label` names it as findings do, `board` says
-- that it stands in leaderboard.*, and a float may be off by `tolerance`.  The checker's own numbers are the file
-- (derived).
CREATE OR REPLACE TABLE elements (
    file VARCHAR, board BOOLEAN, tolerance DOUBLE, list VARCHAR, place INTEGER, line INTEGER, label VARCHAR,
    model VARCHAR, element JSON
);
-- One row: whether `empty` of a ledger may be null, since the spec has no such state.
CREATE OR REPLACE TABLE may_be_null (empty BOOLEAN);
-- One row per model: the lines that the checker's own logs hold of it, and, of those whose money is kept line by line,
-- how many they are and what they add up to.
CREATE OR REPLACE TABLE line_figures (
    model VARCHAR, calls BIGINT, failures BIGINT, kept BIGINT, input HUGEINT, cached_input HUGEINT, cache_write HUGEINT,
    output HUGEINT, reasoning HUGEINT, cost HUGEINT
);

-- What stands at a path as a whole number or a float; null where there is none.
CREATE OR REPLACE MACRO whole_at(j, path) AS CASE
    WHEN length(j ->> path) <= 18 AND TRY_CAST(j ->> path AS BIGINT)::VARCHAR = j ->> path
        THEN TRY_CAST(j ->> path AS BIGINT)
END;
-- The same for a count that may be in a ledger: where null is allowed it counts nothing.
CREATE OR REPLACE MACRO count_at(j, path) AS CASE
    WHEN path = '$.ledger.empty' AND json_type(j, path) = 'NULL' AND (SELECT empty FROM may_be_null) THEN 0
    ELSE whole_at(j, path)
END;
CREATE OR REPLACE MACRO float_at(j, path) AS TRY_CAST(j ->> path AS DOUBLE);
CREATE OR REPLACE MACRO names_at(j, path) AS from_json(json_extract(j, path), '["VARCHAR"]');
-- Floats that are computed in two ways agree to about this part of their size.
CREATE OR REPLACE MACRO nearly(a, b) AS abs(a - b) <= 1e-9 * greatest(1, abs(b));
