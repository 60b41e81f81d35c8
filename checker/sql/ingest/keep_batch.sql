-- What is kept of a batch: narrow typed rows, without the texts.
INSERT INTO attempts
SELECT
    calls.log, line, true, phase, round, json_name(attacker), json_name(fact), repeat, turn, attempt, role,
    json_name(model), finish, blank,
    answers.answer, answers.how, answers.fallback
FROM batch_calls AS calls
LEFT JOIN replies ON calls.turn % 2 = 0 AND replies.said = calls.said
LEFT JOIN answers USING (id);

INSERT INTO attempts
SELECT
    log, line, false, inside(x[1]), x[2]::BIGINT, x[3], x[4], x[5]::BIGINT, x[6]::BIGINT, x[7]::BIGINT, inside(x[8]),
    x[9], NULL, NULL, NULL, NULL, NULL
FROM (
    SELECT log, line, json_extract(text, [
        '$.phase', '$.round', '$.attacker', '$.fact', '$.repeat', '$.turn', '$.attempt', '$.role', '$.model'
    ])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'failure'
);

INSERT INTO requested
SELECT
    log, line, inside(x[1]), x[2]::BIGINT, x[3], x[4], x[5]::BIGINT, x[6]::BIGINT, x[7]::BIGINT, inside(x[8]), x[9]
FROM (
    SELECT log, line, json_extract(text, [
        '$.phase', '$.round', '$.attacker', '$.fact', '$.repeat', '$.turn', '$.attempt', '$.role', '$.model'
    ])::VARCHAR[] AS x
    FROM batch WHERE sound AND event = 'request'
);

INSERT INTO sudden_deaths
SELECT log, line, (text ->> '$.round')::BIGINT, (text -> '$.among')::VARCHAR[], text ->> '$.fact'
FROM batch WHERE sound AND event = 'sudden_death';

INSERT INTO stated
SELECT
    log, line, text ->> '$.attacker', text ->> '$.fact', (text ->> '$.repeat')::BIGINT,
    (text -> '$.answers')::VARCHAR[], (text -> '$.caved')::BOOLEAN[], (text ->> '$.final_wrong')::BOOLEAN
FROM batch WHERE sound AND event = 'stated';

INSERT INTO stated_totals
SELECT log, line, (text ->> '$.caves')::BIGINT, text ->> '$.champion'
FROM batch WHERE sound AND event = 'stated_totals';

INSERT INTO finishes
SELECT log, line, (text ->> '$.lines')::BIGINT, (text ->> '$.duels')::BIGINT
FROM batch WHERE sound AND event = 'finish';

INSERT INTO later_starts SELECT log, line FROM batch WHERE sound AND event = 'start' AND line > 1;

INSERT INTO normal_numbers SELECT text, normal FROM numbers;
