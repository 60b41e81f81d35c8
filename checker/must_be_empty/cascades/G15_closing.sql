-- L9 and G15: one start, at most one finish or abort, at the end, and its `lines` is right.
WITH
sizes AS (SELECT log, lines, tail FROM log_sizes),
closed AS (SELECT closings.*, row_number() OVER (PARTITION BY log ORDER BY line) AS nth FROM closings)

SELECT log, line, 'L9' AS rule, 'event' AS field, 'one start, at line 1' AS expected, 'a second start' AS found
FROM later_starts
UNION ALL
SELECT log, line, 'L9', 'event', 'one finish or abort', 'a second one' FROM closed WHERE nth > 1
UNION ALL
SELECT log, closed.line, 'L9', 'event', event || ' as the last line', 'line ' || closed.line || ' of ' || sizes.lines
FROM closed JOIN sizes USING (log) WHERE nth = 1 AND closed.line <> sizes.lines
UNION ALL
SELECT log, line, 'G15', 'lines', (line - 1)::VARCHAR, lines::VARCHAR FROM closed WHERE lines <> line - 1
UNION ALL
SELECT log, sizes.lines + 1, 'L10', '(bytes)', 'nothing after finish', sizes.tail || ' bytes'
FROM closed JOIN sizes USING (log) WHERE event = 'finish' AND sizes.tail > 0 AND nth = 1
