-- G8: the board's mark is null but in the cell with marks; there it is true exactly for a claim whose receipt exists
-- from an earlier round, was issued to the poster, and matches configuration and score (C9).
WITH
boards AS (SELECT log, coalesce(cells.marks, false) AS marks FROM logs LEFT JOIN cells USING (cell)),
claims AS (
    SELECT post_claims.*, posts.round, posts.agent, marks
    FROM post_claims JOIN posts USING (log, line) JOIN boards USING (log)
),
marked AS (
    SELECT *, CASE WHEN marks THEN EXISTS (
        SELECT 1 FROM receipts WHERE receipts.log = claims.log AND receipts.receipt = claims.receipt
            AND receipts.round < claims.round AND receipts.agent = claims.agent AND receipts.config = claims.config
            AND receipts.score = claims.score
    ) END AS expected
    FROM claims
)

SELECT log, line, 'G8' AS rule, 'claims[' || place || '].verified' AS field,
    coalesce(expected::VARCHAR, 'null') AS expected, coalesce(verified::VARCHAR, 'null') AS found
FROM marked WHERE verified IS DISTINCT FROM expected
