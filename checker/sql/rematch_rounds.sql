-- One row per different (among, round) of sudden death: whether the round is complete, and who is left (R14).
WITH
rematches AS (SELECT * FROM duel_results WHERE phase = 'sudden_death'),
members AS (
    SELECT among, round, defender, count(*) FILTER (held IS NOT TRUE) AS loss,
        count(*) FILTER (state = 'missing') AS missing
    FROM rematches GROUP BY among, round, defender
),
rounds AS (
    SELECT
        among, round,
        count(*) = any_value(len(among)) AND sum(missing) = 0
            AND bool_and(list_contains(among, defender)) AS complete,
        min(loss) AS least
    FROM members GROUP BY among, round
),
left_over AS (
    SELECT members.among, members.round, list(members.defender ORDER BY members.defender) AS survivors
    FROM members JOIN rounds ON rounds.among = members.among AND rounds.round = members.round
    WHERE members.loss = rounds.least
    GROUP BY members.among, members.round
)

SELECT rounds.among, rounds.round, rounds.complete, left_over.survivors
FROM rounds JOIN left_over ON left_over.among = rounds.among AND left_over.round = rounds.round
