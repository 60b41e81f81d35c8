-- P5 and P6: system, user and settings of each call are what the spec's prompts and routes give (found while reading).
SELECT log, line, rule, field, expected, found FROM prompt_faults
