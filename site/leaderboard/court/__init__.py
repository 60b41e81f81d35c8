"""Court of Facts: its records, tables, logs, charts and pages."""
