-- G13: an action is what C10 to C13 give for the texts of its turn's calls, read again.
WITH
-- The first reply of the turn that parses; where none does, the turn has no action.
replies AS (
    SELECT log, round, agent, bool_or(read) AS parsed, arg_min(experiments, line) FILTER (read) AS experiments,
        arg_min(claims, line) FILTER (read) AS claims, arg_min(note, line) FILTER (read) AS note,
        arg_min({'is': submission}, line) FILTER (read) AS submission, arg_min(dropped, line) FILTER (read) AS dropped
    FROM calls GROUP BY log, round, agent
),
pairs AS (
    SELECT actions.log, actions.line, unnest([
        {'field': 'parsed', 'expected': replies.parsed::VARCHAR, 'found': actions.parsed::VARCHAR},
        {'field': 'experiments', 'expected': coalesce(replies.experiments, '[]'), 'found': actions.experiments},
        {'field': 'claims', 'expected': coalesce(replies.claims, '[]'), 'found': actions.claims},
        {'field': 'note', 'expected': coalesce(replies.note, ''), 'found': actions.note},
        {'field': 'submission', 'expected': coalesce(replies.submission.is, 'null'),
         'found': coalesce(actions.submission, 'null')},
        {'field': 'dropped', 'expected': coalesce(replies.dropped, 0)::VARCHAR, 'found': actions.dropped::VARCHAR}
    ], recursive := true)
    FROM actions JOIN replies USING (log, round, agent)
)

SELECT log, line, 'G13' AS rule, field, expected, found FROM pairs WHERE expected <> found
