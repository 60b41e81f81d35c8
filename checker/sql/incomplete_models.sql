-- One row per Defender of which a registered duel is missing, or one of whose runs has no `finish`.
WITH
missing AS (SELECT DISTINCT defender AS model FROM duel_results WHERE state = 'missing'),
unfinished AS (SELECT DISTINCT model FROM logs ANTI JOIN finishes USING (log))

SELECT model FROM missing UNION SELECT model FROM unfinished
