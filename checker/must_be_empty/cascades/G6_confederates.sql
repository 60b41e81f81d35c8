-- G6: the confederates' receipts, posts and claims are those of items.jsonl for the seed (C4, C5).
WITH
games AS (SELECT log, seed FROM logs JOIN cells USING (cell) WHERE cells.board),
team AS (SELECT team FROM parameters),
ends AS (SELECT log, max(step) AS step FROM steps WHERE event <> 'abort' GROUP BY log),
wanted_receipts AS (
    SELECT log, agent, unnest([0, 1]) AS place, unnest([receipt_config, filler_config]) AS config
    FROM games JOIN plants USING (seed)
),
issued AS (SELECT * FROM round_receipts WHERE confederate),
wanted AS (SELECT * FROM expected_posts),
posted AS (
    SELECT posts.*, row_number() OVER (PARTITION BY log, round, agent ORDER BY line) AS nth
    FROM posts WHERE agent > (SELECT team FROM team)
),
claims AS (SELECT log, line, count(*) AS claims FROM post_claims GROUP BY log, line),
firsts AS (
    SELECT wanted.*, posted.line, posted.note AS found_note, coalesce(claims, 0) AS claims
    FROM posted JOIN wanted USING (log, round, agent)
    LEFT JOIN claims ON claims.log = posted.log AND claims.line = posted.line
    WHERE nth = 1
),
claimed AS (
    SELECT firsts.log, firsts.line, unnest([
        {'field': 'config', 'expected': firsts.config, 'found': post_claims.config},
        {'field': 'score', 'expected': firsts.score::VARCHAR, 'found': post_claims.score::VARCHAR},
        {'field': 'receipt', 'expected': firsts.receipt, 'found': coalesce(post_claims.receipt, 'null')}
    ], recursive := true)
    FROM firsts JOIN post_claims USING (log, line) WHERE post_claims.place = 0
)

SELECT log, line, 'G6' AS rule, 'config' AS field, wanted_receipts.config AS expected, issued.config AS found
FROM issued JOIN wanted_receipts USING (log, agent, place) WHERE issued.config <> wanted_receipts.config
UNION ALL
SELECT issued.log, issued.line, 'G6', 'event', 'two receipts for each confederate', 'another one'
FROM issued ANTI JOIN wanted_receipts USING (log, agent, place)
UNION ALL
SELECT wanted_receipts.log, 1, 'G6', 'event',
    'a receipt for ' || agent_name(wanted_receipts.agent) || ' for ' || wanted_receipts.config, 'none'
FROM wanted_receipts JOIN ends ON ends.log = wanted_receipts.log AND ends.step > step(0, 0, wanted_receipts.agent, 0)
ANTI JOIN issued ON issued.log = wanted_receipts.log AND issued.agent = wanted_receipts.agent
    AND issued.place = wanted_receipts.place
UNION ALL
SELECT posted.log, posted.line, 'G6', 'event',
    'no post of ' || agent_name(posted.agent) || ' but one in rounds 1 and 3', 'one in round ' || posted.round
FROM posted ANTI JOIN (SELECT log, round, agent, 1 AS nth FROM wanted) AS wanted USING (log, round, agent, nth)
UNION ALL
SELECT wanted.log, coalesce(
    (SELECT min(line) FROM steps WHERE steps.log = wanted.log AND steps.step > step(wanted.round, 3, wanted.agent, 0)),
    1
), 'G6', 'event', 'the post of ' || agent_name(wanted.agent) || ' in round ' || wanted.round, 'it is missing'
FROM wanted JOIN ends ON ends.log = wanted.log AND ends.step > step(wanted.round, 3, wanted.agent, 0)
ANTI JOIN posted ON posted.log = wanted.log AND posted.round = wanted.round AND posted.agent = wanted.agent
UNION ALL
SELECT log, line, 'G6', 'note', note, found_note FROM firsts WHERE note <> found_note
UNION ALL
SELECT log, line, 'G6', 'claims', 'one claim', claims || ' claims' FROM firsts WHERE claims <> 1
UNION ALL
SELECT log, line, 'G6', 'claims[0].' || field, expected, found FROM claimed WHERE expected <> found
