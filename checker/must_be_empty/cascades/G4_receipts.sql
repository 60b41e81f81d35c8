-- G4: each experiment has one receipt in its round, for its agent, and there is no other but the confederates'.
WITH
asked AS (
    SELECT actions.log, actions.line, round, agent, place, config, step(round, 2, agent, 0) AS step
    FROM experiments JOIN actions USING (log, line)
    QUALIFY dense_rank() OVER (PARTITION BY actions.log, round, agent ORDER BY actions.line) = 1
),
issued AS (SELECT * FROM round_receipts WHERE NOT confederate),
ends AS (SELECT log, max(step) AS step FROM steps WHERE event <> 'abort' GROUP BY log)

SELECT issued.log, issued.line, 'G4' AS rule, 'config' AS field, asked.config AS expected, issued.config AS found
FROM issued JOIN asked USING (log, round, agent, place) WHERE issued.config <> asked.config
UNION ALL
SELECT issued.log, issued.line, 'G4', 'event', 'no receipt that nothing asked for',
    'a receipt of ' || agent_name(issued.agent) || ' in round ' || issued.round
FROM issued ANTI JOIN asked USING (log, round, agent, place)
UNION ALL
SELECT asked.log, asked.line, 'G4', 'experiments[' || asked.place || ']', 'a receipt for ' || asked.config, 'none'
FROM asked JOIN ends ON ends.log = asked.log AND ends.step > asked.step
ANTI JOIN issued ON issued.log = asked.log AND issued.round = asked.round AND issued.agent = asked.agent
    AND issued.place = asked.place
