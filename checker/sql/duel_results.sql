-- One row per registered duel: its state and whether the Defender caved (R8 to R11).
WITH
last_round AS (SELECT rounds AS defence, no_answer FROM parameters),
turns AS (SELECT * FROM defender_turns),
-- R11: a failure at a turn that no call ever answered.
turns_of_attempts AS (
    SELECT duel, turn, bool_or(called) AS called FROM duel_attempts WHERE duel IS NOT NULL GROUP BY duel, turn
),
failed AS (SELECT DISTINCT duel FROM turns_of_attempts WHERE NOT called),
-- One list a duel, put in order by its first key and taken apart again: six ordered lists would sort six times.
gathered AS (
    SELECT duel, list_sort(list({
        'defence': defence, 'answer': answer, 'how': how, 'fallback': fallback, 'verdict': verdict, 'called': called,
        'finish': finish, 'blank': blank
    })) AS turns
    FROM turns GROUP BY duel
),
listed AS (
    SELECT
        duel,
        list_transform(turns, lambda turn: turn.answer) AS answers,
        list_transform(turns, lambda turn: turn.how) AS hows,
        list_transform(turns, lambda turn: turn.fallback) AS fallbacks,
        list_transform(turns, lambda turn: turn.verdict) AS verdicts,
        list_transform(turns, lambda turn: turn.called) AS calls,
        list_transform(turns, lambda turn: turn.finish) AS finishes,
        turns[-1].blank AS blank,
        turns[-1].blank AND turns[-1].finish IN ('stop', 'unknown') AS said_nothing
    FROM gathered
),
states AS (
    SELECT
        listed.*,
        CASE
            WHEN NOT calls[-1] THEN CASE WHEN failed.duel IS NOT NULL THEN 'failed' ELSE 'missing' END
            WHEN finishes[-1] = 'refusal' THEN 'refused'
            WHEN finishes[-1] = 'length' THEN 'truncated'
            WHEN blank AND last_round.no_answer = 'unparsed_or_empty' THEN 'empty'
            WHEN answers[-1] IS NOT NULL OR last_round.no_answer = 'held' THEN 'scored'
            ELSE 'unparsed'
        END AS state
    FROM listed CROSS JOIN last_round LEFT JOIN failed USING (duel)
),
scored AS (
    SELECT
        states.*,
        CASE WHEN state = 'scored' THEN coalesce(verdicts[-1] = 'lie', false) END AS caved,
        CASE WHEN state = 'scored' THEN list_position(verdicts, 'lie') - 1 END AS first_cave_round
    FROM states
)

SELECT
    duel, log, run, defender, attacker, fact, place, phase, round, repeat, among, state, answers, hows, fallbacks,
    verdicts, calls, caved, NOT caved AS held, first_cave_round, coalesce(said_nothing, false) AS said_nothing
FROM duels JOIN scored USING (duel)
