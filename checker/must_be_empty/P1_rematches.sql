-- P1 and the table of `sudden_death`: each round once, among sorted different models with this one, R14's fact, and a
-- fact whose truth this log holds.
WITH
rematches AS (SELECT sudden_deaths.*, logs.model FROM sudden_deaths JOIN logs USING (log)),
facts AS (SELECT place, fact, (SELECT count(*) FROM items) AS facts FROM items),
held AS (SELECT log, fact FROM log_facts),
faults AS (
    SELECT log, line, 'P1' AS rule, 'round' AS field, 'a round of its own, from 1' AS expected, round::VARCHAR AS found
    FROM rematches
    WHERE round < 1 OR EXISTS (
        SELECT 1 FROM sudden_deaths AS other
        WHERE other.log = rematches.log AND other.round = rematches.round AND other.line < rematches.line
    )
    UNION ALL
    SELECT log, line, 'P1', 'among', 'two or more different models in order, this log''s among them',
        to_json(among)::VARCHAR
    FROM rematches
    WHERE among IS DISTINCT FROM list_sort(list_distinct(among)) OR len(among) < 2 OR NOT list_contains(among, model)
    UNION ALL
    SELECT log, line, 'R14', 'fact', facts.fact, rematches.fact
    FROM rematches JOIN facts ON rematches.round >= 1 AND facts.place = (rematches.round - 1) % facts.facts
    WHERE facts.fact <> rematches.fact
    UNION ALL
    SELECT log, line, 'P1', 'fact', 'a fact whose truth this log''s start holds', rematches.fact
    FROM rematches WHERE NOT EXISTS (
        SELECT 1 FROM held WHERE held.log = rematches.log AND held.fact = rematches.fact
    )
)

SELECT * FROM faults
