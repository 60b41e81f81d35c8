-- One row: the sums over the whole version, and each landscape's lowest and highest true score (C1).
WITH
counts AS (
    SELECT count(*) FILTER (state = 'finished') AS games, count(*) FILTER (state = 'aborted') AS aborted FROM games
),
workers AS (SELECT count(*) AS slots FROM slots),
scores AS (
    SELECT seed, score_of(extremes.low, landscapes.low, landscapes.high) AS lowest,
        score_of(extremes.high, landscapes.low, landscapes.high) AS highest
    FROM extremes JOIN landscapes USING (seed)
),
ends AS (SELECT list([seed, lowest, highest] ORDER BY seed) AS extremes FROM scores)

SELECT games, aborted, slots, extremes FROM counts CROSS JOIN workers CROSS JOIN ends
