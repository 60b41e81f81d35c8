-- One row per seed and configuration that any log or items.jsonl names: its true score, from the frozen tables (C1).
WITH
logs_in AS (SELECT log, seed FROM logs),
named AS (
    SELECT seed, config FROM receipts JOIN logs_in USING (log)
    UNION SELECT seed, submission FROM actions JOIN logs_in USING (log) WHERE submission IS NOT NULL
    UNION SELECT seed, unnest([config, receipt_config, filler_config]) FROM plants
),
knobs AS (
    SELECT seed, config, unnest(range(6))::INTEGER AS knob, knob_value(config, unnest(range(6))) AS v FROM named
),
raws AS (
    SELECT seed, config, sum(points) AS raw
    FROM knobs AS one JOIN knobs AS other USING (seed, config)
    JOIN terms USING (seed)
    WHERE one.knob <= other.knob
        AND terms.a = one.knob AND terms.va = one.v AND terms.b = other.knob AND terms.vb = other.v
    GROUP BY seed, config
)

SELECT seed, config, score_of(raw, low, high)::INTEGER AS score FROM raws JOIN landscapes USING (seed)
