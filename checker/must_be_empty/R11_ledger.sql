-- R11: every ledger adds up, or the checker itself is wrong.
SELECT model, attempted FROM defender_counts
WHERE attempted <> scored + unparsed + coalesce(empty, 0) + refused + truncated + failed + missing
