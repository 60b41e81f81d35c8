-- One row per request: the cost of its outcome, the next call or failure of the same attempt; null without one (P4).
WITH
requests_in AS (SELECT * FROM requests),
outcomes_in AS (SELECT log, line, asked, attempt, cost FROM outcomes)

SELECT requests_in.*, outcomes_in.line AS outcome_line, outcomes_in.cost
FROM requests_in ASOF LEFT JOIN outcomes_in
    ON outcomes_in.log = requests_in.log AND outcomes_in.asked = requests_in.asked
    AND outcomes_in.attempt = requests_in.attempt AND outcomes_in.line > requests_in.line
