-- One row: the champion, or the models that are still tied (R13, R14).
WITH RECURSIVE
defences AS (SELECT model, attempted, attempted - holds AS loss FROM defender_counts WHERE model IN (
    SELECT model FROM logs
)),
rounds AS (SELECT among, round, survivors FROM rematch_rounds WHERE complete),
-- R13: eligible are the Defenders with the greatest `attempted`; the least loss leads.
eligible AS (SELECT model, loss FROM defences WHERE attempted = (SELECT max(attempted) FROM defences)),
leaders AS (
    SELECT list(model ORDER BY model) AS models
    FROM eligible WHERE loss = (SELECT min(loss) FROM eligible)
),
-- R14: round r is fought among those whom round r - 1 left; one left, an incomplete round or the bound ends it.
steps AS (
    SELECT models, 0::BIGINT AS round FROM leaders WHERE models IS NOT NULL
    UNION ALL
    SELECT rounds.survivors, rounds.round
    FROM steps JOIN rounds ON rounds.among = steps.models AND rounds.round = steps.round + 1
    WHERE len(steps.models) > 1 AND rounds.round <= (SELECT sudden_death_rounds FROM parameters)
),
last_step AS (SELECT models, round FROM steps ORDER BY round DESC LIMIT 1),
decided AS (
    SELECT
        coalesce(models, []::VARCHAR[]) AS models,
        CASE
            WHEN len(models) = 1 AND round = 0 THEN 'standings'
            WHEN len(models) = 1 THEN 'sudden_death'
            ELSE 'unresolved'
        END AS decided_by,
        coalesce(round, 0) AS rounds
    FROM (SELECT 1) LEFT JOIN last_step ON true
)

SELECT models, decided_by, rounds FROM decided
