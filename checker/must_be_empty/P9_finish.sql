-- L9 and P9: one start, one finish at the end, and what finish says is right.
WITH
sizes AS (SELECT log, lines FROM log_sizes),
last AS (SELECT 2 * rounds AS turn FROM parameters),
ended AS (
    SELECT log, count(DISTINCT duel) AS duels FROM duel_attempts CROSS JOIN last
    WHERE called AND duel_attempts.turn = last.turn GROUP BY log
),
faults AS (
    SELECT log, line, 'L9' AS rule, 'event' AS field, 'one start, at line 1' AS expected, 'a second start' AS found
    FROM later_starts
    UNION ALL
    SELECT log, finishes.line, 'L9', 'event', 'one finish, as the last line',
        'a finish at line ' || finishes.line || ' of ' || sizes.lines
    FROM finishes JOIN sizes USING (log) WHERE finishes.line <> sizes.lines
    UNION ALL
    SELECT log, line, 'P9', 'lines', (line - 1)::VARCHAR, lines::VARCHAR FROM finishes WHERE lines <> line - 1
    UNION ALL
    SELECT log, line, 'P9', 'duels', coalesce(ended.duels, 0)::VARCHAR, finishes.duels::VARCHAR
    FROM finishes LEFT JOIN ended USING (log) WHERE finishes.duels <> coalesce(ended.duels, 0)
    UNION ALL
    SELECT log, sizes.lines + 1, 'L10', '(bytes)', 'nothing after finish', sizes.tail || ' bytes'
    FROM finishes JOIN (SELECT log, lines, tail FROM log_sizes) AS sizes USING (log) WHERE sizes.tail > 0
)

SELECT * FROM faults
