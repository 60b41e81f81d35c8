"""Cascades: its records, tables, logs, charts and pages."""
