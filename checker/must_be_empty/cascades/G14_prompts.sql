-- G14: prompt_sha256 is the digest of system, LF and user where they are there; both are null exactly for scripted
-- teams.
WITH
logs_in AS (SELECT log, starts_with(model, 'scripted:') AS scripted FROM logs),
prompts AS (SELECT calls.*, scripted FROM calls JOIN logs_in USING (log)),
there AS (
    SELECT log, line, scripted, unnest([
        {'field': 'system', 'there': system_there}, {'field': 'user', 'there': user_there}
    ], recursive := true)
    FROM prompts
)

SELECT log, line, 'G14' AS rule, 'prompt_sha256' AS field, prompt_digest AS expected, prompt_sha256 AS found
FROM prompts WHERE prompt_digest <> prompt_sha256
UNION ALL
SELECT log, line, 'G14', field, CASE WHEN scripted THEN 'null' ELSE 'the prompt as sent' END,
    CASE WHEN there THEN 'a text' ELSE 'null' END
FROM there WHERE there = scripted
