-- One row per registered duel of a log, both phases (R1, R2, R14), with its truth and lie as the grammar writes them.
WITH
logs_in AS (SELECT log, run, model AS defender, repeats FROM logs),
attackers AS (SELECT log, attacker FROM log_attackers),
facts AS (SELECT log, fact, truth, lie FROM log_facts),
rematches AS (SELECT log, min(line) AS line, round, arg_min(among, line) AS among, arg_min(fact, line) AS fact
    FROM sudden_deaths GROUP BY log, round),
places AS (SELECT place, fact FROM items),
normal AS (SELECT text, any_value(normal) AS normal FROM normal_numbers GROUP BY text),

main_duels AS (
    SELECT
        logs_in.log, run, defender, attacker, fact, 'main' AS phase, 0::BIGINT AS round,
        unnest(range(repeats)) AS repeat, 1 AS registered_at, NULL::VARCHAR[] AS among
    FROM logs_in JOIN attackers USING (log) JOIN facts USING (log)
),
rematch_duels AS (
    SELECT
        logs_in.log, run, defender, attacker, fact, 'sudden_death' AS phase, round::BIGINT AS round,
        0::BIGINT AS repeat, line AS registered_at, among
    FROM logs_in
    JOIN (SELECT log, line, round, among, fact, unnest(list_distinct(among)) AS attacker FROM rematches) USING (log)
    WHERE attacker <> defender
),
registered AS (SELECT * FROM main_duels UNION ALL SELECT * FROM rematch_duels),
placed AS (
    SELECT registered.*, places.place, normal_truth.normal AS truth, normal_lie.normal AS lie
    FROM registered
    LEFT JOIN places USING (fact)
    LEFT JOIN facts USING (log, fact)
    LEFT JOIN normal AS normal_truth ON normal_truth.text = facts.truth
    LEFT JOIN normal AS normal_lie ON normal_lie.text = facts.lie
),
numbered AS (
    SELECT
        row_number() OVER (ORDER BY phase, round, defender, attacker, place NULLS LAST, fact, repeat, run, log)::INTEGER
            AS duel,
        *, to_json(attacker)::VARCHAR AS attacker_json, to_json(fact)::VARCHAR AS fact_json
    FROM placed
)

SELECT * FROM numbered
