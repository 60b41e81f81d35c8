-- I15: In Cascades, `totals.games` and `totals.slots` are the sums of `rows` (`runs`; the `n` of `final_rate`), and
-- every landscape's scores go from 0 to 10000.
WITH
sums AS (
    SELECT file, sum(whole_at(element, '$.runs')) AS games, sum(whole_at(element, '$.final_rate.n')) AS slots
    FROM elements WHERE list = 'rows' GROUP BY file
),
aborted AS (SELECT file, count(*) FILTER (state = 'aborted') AS aborted FROM game_figures GROUP BY file),
totals AS (
    SELECT elements.*, coalesce(games, 0) AS games, coalesce(slots, 0) AS slots, aborted
    FROM elements LEFT JOIN sums USING (file) LEFT JOIN aborted USING (file) WHERE list = 'totals'
),
ends AS (SELECT *, unnest(from_json(element -> '$.extremes', '["JSON"]')) AS ends FROM totals),
wanted AS (
    SELECT file, line, model, 'totals.games' AS field, games::VARCHAR AS expected, element ->> '$.games' AS found
    FROM totals
    UNION ALL
    SELECT file, line, model, 'totals.slots', slots::VARCHAR, element ->> '$.slots' FROM totals
    UNION ALL
    SELECT file, line, model, 'totals.aborted', aborted::VARCHAR, element ->> '$.aborted' FROM totals
    WHERE aborted IS NOT NULL
    UNION ALL
    SELECT file, line, model, 'totals.extremes', '[' || (ends ->> '$[0]') || ',0,10000]', ends::VARCHAR FROM ends
),
places AS (SELECT * REPLACE (coalesce(found, 'null') AS found), expected = found AS holds FROM wanted)

SELECT file, line, model, field, expected, found FROM places WHERE holds IS NOT TRUE
