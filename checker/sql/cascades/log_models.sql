-- One row per log: its one model (B1).
SELECT log, model FROM logs
