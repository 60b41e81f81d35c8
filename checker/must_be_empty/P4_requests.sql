-- P4: a request is of the next attempt at its turn, and what follows it in that turn is its outcome.
WITH
asked AS (SELECT DISTINCT log, phase, round, attacker, fact, repeat, turn FROM requested),
events AS (
    SELECT log, line, 'request' AS event, phase, round, attacker, fact, repeat, turn, attempt FROM requested
    UNION ALL
    SELECT log, line, CASE WHEN called THEN 'call' ELSE 'failure' END, phase, round, attacker, fact, repeat, turn,
        attempt
    FROM attempts SEMI JOIN asked USING (log, phase, round, attacker, fact, repeat, turn)
),
followed AS (
    SELECT
        log, line, event, attempt, lag(event) OVER turns AS event_before, lag(line) OVER turns AS line_before,
        lag(attempt) OVER turns AS attempt_before,
        count(*) FILTER (event <> 'request') OVER before AS outcomes,
        coalesce(bool_or(event = 'call') OVER before, false) AS answered
    FROM events
    WINDOW turns AS (PARTITION BY log, phase, round, attacker, fact, repeat, turn ORDER BY line),
        before AS (
            PARTITION BY log, phase, round, attacker, fact, repeat, turn ORDER BY line
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
)

SELECT log, line, 'P4' AS rule, 'event' AS field,
    'the outcome of the request at line ' || line_before || ' before another request of its turn' AS expected,
    'another request' AS found
FROM followed WHERE event = 'request' AND event_before = 'request'
UNION ALL
SELECT log, line, 'P4', 'event', 'nothing after the call of this turn', 'a request'
FROM followed WHERE event = 'request' AND answered
UNION ALL
SELECT log, line, 'P4', 'attempt', (outcomes + 1)::VARCHAR, attempt::VARCHAR
FROM followed WHERE event = 'request' AND attempt <> outcomes + 1 AND NOT answered
UNION ALL
SELECT log, line, 'P4', 'attempt', attempt_before || ', the attempt of the request at line ' || line_before,
    attempt::VARCHAR
FROM followed WHERE event <> 'request' AND event_before = 'request' AND attempt <> attempt_before
