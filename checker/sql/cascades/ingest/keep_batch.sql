-- What is kept of a batch: narrow typed rows, without the texts.
INSERT INTO calls
SELECT
    calls.log, calls.line, round, agent, ask, attempt, posts, system IS NOT NULL, user_text IS NOT NULL, prompt_sha256,
    sha256(system || chr(10) || user_text), finish, blank, readings.id IS NOT NULL,
    -- the same writer of JSON as for the actions, so that equal values have equal texts
    json_extract(experiments, '$')::VARCHAR, json_extract(claims, '$')::VARCHAR, note, submission, dropped
FROM batch_calls AS calls
LEFT JOIN replies ON calls.readable AND replies.text = calls.text AND replies.scope = calls.scope
LEFT JOIN readings ON readings.id = replies.id;

INSERT INTO failures
SELECT log, line, x[1]::BIGINT, agent_number(x[2]), x[3]::BIGINT, x[4]::BIGINT
FROM (
    SELECT log, line, json_extract(text, ['$.round', '$.agent', '$.ask', '$.attempt'])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'failure'
);

INSERT INTO requested
SELECT log, line, x[1]::BIGINT, agent_number(x[2]), x[3]::BIGINT, x[4]::BIGINT
FROM (
    SELECT log, line, json_extract(text, ['$.round', '$.agent', '$.ask', '$.attempt'])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'request'
);

INSERT INTO receipts
SELECT log, line, text ->> '$.receipt', x[1]::BIGINT, agent_number(x[2]), x[3], x[4]::INTEGER
FROM (
    SELECT log, line, text, json_extract(text, ['$.round', '$.agent', '$.config', '$.score'])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'receipt'
);

INSERT INTO actions
SELECT
    log, line, x[1]::BIGINT, agent_number(x[2]), x[3]::BOOLEAN, x[4], x[5], text ->> '$.note', nullif(x[6], 'null'),
    TRY_CAST(x[7] AS INTEGER), x[8]::BIGINT
FROM (
    SELECT log, line, text, json_extract(text, [
        '$.round', '$.agent', '$.parsed', '$.experiments', '$.claims', '$.submission', '$.score', '$.dropped'
    ])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'action'
);

INSERT INTO experiments
SELECT log, line, (place - 1)::INTEGER, configs[place]::VARCHAR
FROM (
    SELECT log, line, configs, unnest(range(1, len(configs) + 1)) AS place
    FROM (
        SELECT log, line, json_extract(text, '$.experiments[*]') AS configs FROM batch
        WHERE sound AND event = 'action' AND NOT contains(text, '"experiments":[],')
    )
);

INSERT INTO action_claims
SELECT log, line, place, config, score, receipt FROM batch_claims WHERE event = 'action';

INSERT INTO posts
SELECT
    log, line, x[1]::BIGINT, x[2]::BIGINT, agent_number(x[3]), text ->> '$.note',
    list_transform(x[4]::JSON::VARCHAR[], lambda agent: agent[7]::INTEGER)
FROM (
    SELECT log, line, text, json_extract(text, ['$.post', '$.round', '$.agent', '$.seen_by'])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'post'
);

INSERT INTO post_claims
SELECT log, line, place, config, score, receipt, verified FROM batch_claims WHERE event = 'post';

INSERT INTO closings
SELECT log, line, event, (text ->> '$.lines')::BIGINT FROM batch WHERE sound AND event IN ('finish', 'abort');

INSERT INTO later_starts SELECT log, line FROM batch WHERE sound AND event = 'start' AND line > 1;
