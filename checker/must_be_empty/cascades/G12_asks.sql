-- G12: a reply that does not parse is asked for once more, and nothing follows one that does; attempts count 1, 2, 3.
WITH
asks AS (SELECT asks FROM parameters),
outcomes AS (SELECT log, line, round, agent FROM calls UNION ALL SELECT log, line, round, agent FROM failures),
-- A request that nothing follows in its turn counts as the attempt that it was to be.
unanswered AS (
    SELECT requested.* FROM requested ANTI JOIN outcomes
        ON outcomes.log = requested.log AND outcomes.round = requested.round AND outcomes.agent = requested.agent
        AND outcomes.line > requested.line
    QUALIFY row_number() OVER (PARTITION BY requested.log, round, agent ORDER BY requested.line) = 1
),
attempts AS (
    SELECT log, line, round, agent, ask, attempt, true AS called, read FROM calls
    UNION ALL SELECT log, line, round, agent, ask, attempt, false, false FROM failures
    UNION ALL SELECT log, line, round, agent, ask, attempt, false, false FROM unanswered
),
followed AS (
    SELECT *, lag(called) OVER turn AS after_call, lag(read) OVER turn AS after_read, lag(ask) OVER turn AS ask_before,
        lag(attempt) OVER turn AS attempt_before, lead(line) OVER turn IS NULL AS last
    FROM attempts WINDOW turn AS (PARTITION BY log, round, agent ORDER BY line)
),
expected AS (
    SELECT *,
        after_read OR (after_call AND ask_before >= (SELECT asks FROM asks)) AS closed,
        CASE WHEN ask_before IS NULL THEN 1 WHEN after_call THEN ask_before + 1 ELSE ask_before END AS expected_ask,
        CASE WHEN ask_before IS NULL OR after_call THEN 1 ELSE attempt_before + 1 END AS expected_attempt
    FROM followed
),
unfinished AS (
    SELECT actions.log, actions.line, expected.called
    FROM expected JOIN actions USING (log, round, agent)
    WHERE last AND NOT read AND (NOT called OR ask < (SELECT asks FROM asks)) AND actions.line > expected.line
)

SELECT log, line, 'G12' AS rule, 'event' AS field, 'the action: this turn has its reply' AS expected,
    'another attempt' AS found
FROM expected WHERE closed
UNION ALL
SELECT log, line, 'G12', 'ask', expected_ask::VARCHAR, ask::VARCHAR FROM expected
WHERE ask <> expected_ask AND closed IS NOT TRUE
UNION ALL
SELECT log, line, 'G12', 'attempt', expected_attempt::VARCHAR, attempt::VARCHAR FROM expected
WHERE attempt <> expected_attempt AND closed IS NOT TRUE
UNION ALL
SELECT log, line, 'G12', 'event',
    CASE WHEN called THEN 'one more ask: the reply before does not parse' ELSE 'another attempt, or an abort' END,
    'the action'
FROM unfinished
