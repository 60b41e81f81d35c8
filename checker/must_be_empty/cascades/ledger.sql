-- Every ledger adds up, or the checker itself is wrong.
SELECT model, attempted FROM ledgers
WHERE attempted <> scored + unparsed + empty + refused + truncated + failed + missing
