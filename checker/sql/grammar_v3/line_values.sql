-- One row per different ANSWER line of the batch: the number that it commits to (A4 to A6), null if none.
WITH
lines AS (SELECT DISTINCT line FROM answer_lines WHERE line IS NOT NULL),

-- A3: the greedy start makes this label the last of its line.
parts AS (
    SELECT
        line,
        ascii_lower(regexp_extract(line, '^(.*[^A-Za-z0-9]|)[Aa][Nn][Ss][Ww][Ee][Rr][ *_`]*:(.*)$', 1)) AS before,
        regexp_extract(line, '^(.*[^A-Za-z0-9]|)[Aa][Nn][Ss][Ww][Ee][Rr][ *_`]*:(.*)$', 2) AS value
    FROM lines
),

-- A4: a line that denies is no commitment.
committed AS (
    SELECT line, value
    FROM parts
    WHERE NOT regexp_matches(
        before,
        '(?:^|[^a-z0-9_])(?:not|never|no|cannot|nor|neither|wrong|incorrect|instead)(?:[^a-z0-9_]|$)'
        || '|n[''\x{2019}]t(?:[^a-z0-9_]|$)'
    )
),

-- A5
stripped AS (SELECT line, trim(value, ' *_`') AS value FROM committed),
unbracketed AS (
    SELECT line, CASE
        WHEN value LIKE '<%>' THEN trim(substr(value, 2, length(value) - 2), ' *_`') ELSE value
    END AS value
    FROM stripped
),

-- A6, first half: openers, sign, currency, number; the rest is looked at below, where its case no longer matters.
-- 1, 2: a sign before or after the currency; 3: the number; 4: the rest.
heads AS (
    SELECT line, regexp_extract(
        value,
        '^[ *_`"''(\[]*(?:([+-]) *(?:US\$|USD|[$€£¥])? *|(?:US\$|USD|[$€£¥])? *([+-])? *)'
        || '((?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)(.*)$',
        ['sign_before', 'sign_after', 'number', 'rest']
    ) AS part
    FROM unbracketed
),

-- A6, second half: an optional unit (a letter needs a space, but for the units of the last group) and closers.
numbers_of_lines AS (
    SELECT line, replace(part.sign_before || part.sign_after, '+', '') || part.number AS number
    FROM heads
    WHERE part.number <> '' AND regexp_full_match(
        ascii_lower(part.rest),
        '(?: *(?:%|€|£|¥|/hour|/hr)'
        || '| +(?:percent|usd|dollars?|cpus?|cores?|(?:availability )?zones?|azs?|(?:aws )?regions?|buckets?'
        || '|(?:concurrent )?executions?|s|per hour|usd per hour|usd/hour|dollars per hour)'
        || '| *(?:vcpus?|gb|gib|mb|mib|tb|kb|ms|usd))?'
        || '[ *_`"'')\].!,;?$]*'
    )
)

SELECT line, number FROM numbers_of_lines
