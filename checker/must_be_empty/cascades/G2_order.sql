-- G2: the lines stand in the order of the log schema, every turn has its action, and posts are counted from 0.
WITH
parameters_in AS (SELECT rounds, team FROM parameters),
ordered AS (
    SELECT *, max(step) OVER (
        PARTITION BY log ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS furthest, lag(step) OVER (PARTITION BY log ORDER BY line) AS before
    FROM steps WHERE event NOT IN ('abort', 'finish')
),
acted AS (
    SELECT log, round, agent, line, row_number() OVER (PARTITION BY log, round, agent ORDER BY line) AS nth FROM actions
),
missing AS (
    SELECT turns.log, turns.round, turns.agent, min(steps.line) AS line
    FROM turns ANTI JOIN acted USING (log, round, agent)
    JOIN steps ON steps.log = turns.log AND steps.step > turns.step AND steps.event <> 'abort'
    GROUP BY turns.log, turns.round, turns.agent
),
unasked AS (
    SELECT log, line, round, agent FROM actions ANTI JOIN calls
    ON calls.log = actions.log AND calls.round = actions.round AND calls.agent = actions.agent
),
-- Between a request and its outcome stand only prices and budgets, which have no step.
next AS (SELECT log, line, lead(line) OVER (PARTITION BY log ORDER BY line) AS next_line FROM steps),
outcomes AS (
    SELECT log, line, round, agent, ask, attempt FROM calls
    UNION ALL SELECT log, line, round, agent, ask, attempt FROM failures
),
asked AS (
    SELECT requested.*, next_line, closings.event IS NOT DISTINCT FROM 'abort' AS aborted
    FROM requested JOIN next USING (log, line)
    LEFT JOIN closings ON closings.log = requested.log AND closings.line = next_line
),
counted AS (SELECT log, line, post, row_number() OVER (PARTITION BY log ORDER BY line) - 1 AS expected FROM posts)

SELECT log, line, 'G2' AS rule, 'round' AS field,
    CASE event WHEN 'receipt' THEN '0 to ' || rounds WHEN 'post' THEN '1 to ' || rounds ELSE '1 to ' || (rounds + 1) END
        AS expected, round::VARCHAR AS found
FROM ordered CROSS JOIN parameters_in
WHERE round > rounds + CASE WHEN event IN ('receipt', 'post') THEN 0 ELSE 1 END OR (round < 1 AND event <> 'receipt')
UNION ALL
SELECT log, line, 'G2', 'event', 'nothing of an earlier place than ' || step_text(furthest),
    CASE WHEN event IN ('failure', 'request') THEN 'a ' || event || ' in ' ELSE '' END || step_text(step)
FROM ordered WHERE step < furthest AND (before IS NULL OR step < before OR before = furthest)
UNION ALL
SELECT log, line, 'G2', 'event', 'the action of ' || agent_name(agent) || ' in round ' || round, 'it is missing'
FROM missing
UNION ALL
SELECT log, line, 'G2', 'event', 'one action in each turn', 'another one' FROM acted WHERE nth > 1
UNION ALL
SELECT log, line, 'G2', 'event', 'a call of this turn before its action', 'none' FROM unasked
UNION ALL
SELECT log, line, 'G2', 'post', expected::VARCHAR, post::VARCHAR FROM counted WHERE post <> expected
UNION ALL
SELECT asked.log, asked.line, 'G2', 'event',
    'its outcome next: ' || agent_name(asked.agent) || ', round ' || asked.round || ', ask ' || asked.ask
        || ', attempt ' || asked.attempt,
    'something else at line ' || next_line
FROM asked LEFT JOIN outcomes AS own
    ON own.log = asked.log AND own.line = next_line AND own.round = asked.round AND own.agent = asked.agent
    AND own.ask = asked.ask AND own.attempt = asked.attempt
WHERE next_line IS NOT NULL AND NOT aborted AND own.line IS NULL
