"""What a model was asked and what it cost: on the boards, on its own page, in transcripts, and in the methodology."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from leaderboard import show
from leaderboard.amendments import Amendment
from leaderboard.load import load_versions
from leaderboard.money import accounts
from leaderboard.replies import KINDS
from tests.site import fixture_cascades, fixture_money
from tests.site.fixture_money import PRICED, UNUSED
from tests.site.fixture_names import slug
from tests.site.pagetext import Reader, read

REPO = Path(__file__).parents[2]
MODEL = f"court/v3/models/{slug(PRICED)}/index.html"
TEAM = f"cascades/v1/models/{slug(fixture_cascades.HOSTILE)}/index.html"


def words(path: Path) -> str:
    return " ".join(" ".join(read(path).text).split())


def row(built: Path, page: str, name: str) -> str:
    """Give a row of a table as text, from its name on."""
    text = words(built / page)
    return text[text.index(f" {name} ") :][:400]


def duel(built: Path, number: int) -> str:
    return words(built / f"court/v3/transcripts/fixture-v3/{slug(PRICED)}/{number}/index.html")


@pytest.mark.parametrize("page", ["court/index.html", "court/v3/index.html"])
def test_a_board_says_what_a_run_and_a_thousand_calls_cost(built: Path, page: str) -> None:
    text = words(built / page)
    assert "Cost per run" in text
    assert "Cost per 1,000 calls" in text
    assert "$0.0148 $0.1030" in row(built, page, "a|b")
    fine = row(built, page, PRICED)
    assert "at least $0.0135 $0.0135, at most $0.0153: 2 attempts whose cost cannot be known. How" in fine
    assert "at least $0.0960 $0.0960, at most $0.1088: 2 attempts whose cost cannot be known. How" in fine
    assert "unpriced unpriced" in row(built, page, "local:smollm2-135m")
    assert "$0.00 " not in text


def test_costs_of_a_team_are_of_its_games(built: Path) -> None:
    assert "at least $0.0036 $0.0036, at most $0.0046: 8 attempts whose cost cannot be known." in words(
        built / "cascades/index.html"
    )
    assert "unpriced unpriced" in row(built, "cascades/v1/index.html", fixture_cascades.BELIEVER)


@pytest.mark.parametrize("page", ["index.html", "court/index.html", "court/v3/index.html", MODEL])
def test_row_tags_are_words_that_lead_to_what_explains_them(built: Path, page: str) -> None:
    reader = read(built / page)
    text = " ".join(" ".join(reader.text).split())
    if page != MODEL and page != "index.html":
        assert f"{PRICED} SERVED AS {fixture_money.OTHER_NAME} OTHER SETTINGS" in text
        assert text.count("SERVED AS") == 1
    assert {link.rpartition("#")[2] for link in reader.links} >= {"served-as", "other-settings"}
    assert {"served-as", "other-settings", "use"} <= read(built / MODEL).ids


def test_the_page_of_a_model_says_what_it_used_and_what_that_cost(built: Path) -> None:
    text = words(built / MODEL)
    for part in (
        "Calls 141 Failed attempts 2 Cost, for certain $0.013543 Cost, at most $0.015343",
        "$0.0018 reserved for 2 attempts whose cost cannot be known",
        "Cost per run at least $0.0135 at most $0.0153",
        "A run is one playing of a round robin",
        f"2026-11-30.json 2026-11-30 $0.25 $0.025 as input $2.00 as output 9 {fixture_money.HOSTILE_SOURCE}",
        f"maker/fine-model was asked for, and the provider says that it served {fixture_money.OTHER_NAME}",
        f"Passed on to {fixture_money.PROVIDER}",
        "Fingerprints fp_<i>1</i>",
        "An amendment of 2026-12-01 09:00 UTC",
        f"Reason: {fixture_money.HOSTILE_REASON}",
        f"withheld 1 {KINDS['withheld']}",
        f"interrupted 1 {KINDS['interrupted']}",
        "Missing Empty replies",
        "48 41 4 1 2 0 0 2",
        "not reported",
    ):
        assert part in text, part
    assert "unpriced" not in text
    assert "Other settings" not in words(built / "court/v3/models" / slug("a|b") / "index.html")
    unpriced = words(built / "court/v2/models" / slug("a|b") / "index.html")
    assert "Cost unpriced" in unpriced
    assert "Price in force" not in unpriced


def test_the_page_of_a_team_counts_its_empty_replies_and_failures(built: Path) -> None:
    text = words(built / TEAM)
    for part in ("22,050 not reported not reported 9,800", "timeout 7", "withheld 7", "300 20 0 5 0 0 0 275"):
        assert part in text, part
    assert "Attempted Scored Unparsed Empty Refused" in text
    assert "Empty replies" not in text  # a state of the ledger is not counted again beside it


def test_a_transcript_says_how_each_reply_ended_and_what_failed_where(built: Path) -> None:
    withheld = duel(built, 3)
    assert withheld.index("Defender, final answer") < withheld.index("Attempt 1 failed (withheld): <b>gone</b>")
    assert withheld.index("Attempt 1 failed") < withheld.index("Answer read: 8")
    assert "40 tokens · $0.000096 · 812 ms · served as" in withheld
    assert f"by provider {fixture_money.PROVIDER}" in withheld
    interrupted = duel(built, 4)
    assert "before its outcome was logged · cost not known" in interrupted
    assert "ended by itself · cost not known" in duel(built, 5)
    assert "Refused. The provider's safety stop ended this reply; there is no text." in duel(built, 7)
    assert "Cut by the token limit. The model had not finished." in duel(built, 8)
    assert "Empty reply. The model ended its turn and said nothing." in duel(built, 9)
    assert "said nothing but white space." in duel(built, 10)


def test_an_attempt_of_a_team_stands_with_the_ask_that_it_was_for(built: Path) -> None:
    text = words(built / "cascades/v1/games" / slug(fixture_cascades.HOSTILE) / "verified-2-s00-a1/index.html")
    assert "Asked once more, for only the JSON object: Attempt 1 failed (withheld): <i>hidden</i>" in text
    assert "Empty reply." in text


def test_requests_prices_and_budgets_are_no_turns(built: Path, readers: dict[Path, Reader]) -> None:
    page = built / f"court/v3/transcripts/fixture-v3/{slug(PRICED)}/1/index.html"
    assert {i for i in readers[page].ids if i.startswith("turn-") and not i.endswith("-head")} == {
        "turn-0",
        "turn-1",
        "turn-2",
    }
    assert "could not be read" not in words(built / f"court/v3/transcripts/fixture-v3/{slug(PRICED)}/index.html")


def test_a_methodology_names_prices_and_amendments(built: Path) -> None:
    reader = read(built / "court/v3/methodology/index.html")
    text = " ".join(" ".join(reader.text).split())
    assert {"prices", "amended"} <= reader.ids
    assert f"a|b $0.25 $0.025 as input $2.00 as output {fixture_money.HOSTILE_SOURCE}" in text
    assert "b" * 64 in text
    assert f"openrouter:maker/* {json.dumps(fixture_money.AMENDED)} 2026-12-01 09:00 UTC" in text
    assert fixture_money.HOSTILE_REASON in text
    older = words(built / "court/v2/methodology/index.html")
    assert "No log of this version names a price table" in older
    assert "Amended settings" not in older


def test_exact_costs_stand_among_the_numbers(root: Path, built: Path) -> None:
    reader = read(built / "court/v3/numbers/index.html")
    text = " ".join(" ".join(reader.text).split())
    board = json.loads((root / "tables/court/v3/leaderboard.json").read_text("utf-8"))
    for line in board["rows"]:
        assert f"use--{slug(line['model'])}" in reader.ids
        if line["use"]["cost_microusd"] is not None:
            assert f"{line['use']['cost_microusd']} {line['use']['unsettled_microusd']}" in text
            assert repr(line["use"]["cost_per_1000_calls_microusd"]) in text
    assert "sql/money/use.sql" in text


def test_the_logs_agree_with_the_tables(root: Path) -> None:
    for version in load_versions(root):
        for line in version.rows:
            account = version.accounts.get(line.model)
            assert sum(account.failures.values() if account else ()) == line.use.failures
            assert ((account.unsettled if account else 0) > 0) == bool(line.use.unsettled_microusd)


def test_every_kind_of_failure_of_the_log_schema_has_its_words() -> None:
    page = (REPO / "site/docs/reference/log-schema.md").read_text("utf-8")
    table = page.split("| kind | what happened |")[1].split("\n\n")[0]
    assert [line.split("`")[1] for line in table.splitlines() if "`" in line] == list(KINDS)


def test_a_damaged_line_costs_nothing() -> None:
    torn = b'{"event":"price","model":[]}\n{"event":"failure","kind":{}}\n["event":"request"]\n{"event":"request"'
    assert all(not account.prices and not account.unsettled for account in accounts([torn]).values())


def test_bounds_follow_from_what_is_certain() -> None:
    use = replace(
        UNUSED,
        calls=4,
        cost_microusd=100,
        unsettled_microusd=50,
        cost_per_run_microusd=50.0,
        cost_per_1000_calls_microusd=25_000.0,
    )
    assert (use.most_microusd, use.most_per_run_microusd, use.most_per_1000_calls_microusd) == (150, 75.0, 37_500.0)
    nothing = replace(use, cost_microusd=0, cost_per_run_microusd=0.0)
    assert (nothing.most_microusd, nothing.most_per_run_microusd) == (50, None)
    assert UNUSED.most_microusd is UNUSED.most_per_1000_calls_microusd is None


@pytest.mark.parametrize(
    ("model", "served", "others"),
    [
        ("openai:m", ("m", "m-2026"), ("m-2026",)),
        ("ollama:m", ("m:latest",), ("m:latest",)),
        ("ollama:m", ("m:7b", "m:latest"), ("m:7b",)),
        ("ollama:m:latest", ("m", "n"), ("n",)),
        ("openrouter:m", ("m:latest", "m"), ("m:latest",)),
        ("scripted:m", ("scripted:m",), ()),
        ("scripted:m", ("n", "scripted:m"), ("n",)),
    ],
)
def test_a_tag_names_what_stands_out(model: str, served: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert replace(UNUSED, served=served, served_differs=True).others(model) == others
    assert replace(UNUSED, served=served).others(model) == ()


@pytest.mark.parametrize(
    ("models", "model", "named"),
    [
        ("openai:o*", "openai:o5-mini", True),
        ("openai:o*", "openai:o", True),
        ("openai:o*", "openai:O5", False),
        ("openai:*-mini", "openai:a\n-mini", True),
        ("openai:o.", "openai:o5", False),
        ("openai:o", "openai:o5", False),
    ],
)
def test_an_amendment_names_whole_names(models: str, model: str, named: bool) -> None:
    assert Amendment("", models, {}, "").names(model) is named


@pytest.mark.parametrize(
    ("micro", "text"), [(0, "$0.0000"), (1, "<$0.0001"), (99.9, "<$0.0001"), (12_300, "$0.0123"), (2e9, "$2,000.0000")]
)
def test_a_cost_that_is_not_nothing_never_reads_as_nothing(micro: float, text: str) -> None:
    assert show.dollars(micro) == text


@pytest.mark.parametrize(
    ("micro", "text"),
    [(0, "$0.00"), (1, "$0.000001"), (250_000, "$0.25"), (25_000, "$0.025"), (1_234_500_000, "$1,234.50")],
)
def test_exact_dollars_round_nothing(micro: int, text: str) -> None:
    assert show.exact_dollars(micro) == text
