"""What a model wrote reaches the page to the byte, and as text."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard import show
from leaderboard.slugs import slug
from tests.site import fixture_cascades, fixture_money, fixture_names
from tests.site.pagetext import Reader, read


def test_every_turn_of_every_transcript_equals_its_log(root: Path, built: Path, readers: dict[Path, Reader]) -> None:
    turns = 0
    for log in (root / "runs").glob("court/*/logs/*/*.jsonl"):
        version, folder, run = log.parts[-4], log.parts[-2], log.stem
        records = [json.loads(line) for line in log.read_text("utf-8").split("\n") if line]
        said: dict[tuple[str, ...], list[str]] = {}
        for record in records:
            if record["event"] == "call":
                key = tuple(str(record[k]) for k in ("phase", "round", "attacker", "fact", "repeat"))
                said.setdefault(key, []).append(record["text"])
        shown = [
            readers[page].said
            for page in (built / "court" / version / "transcripts" / run / folder).glob("*/index.html")
        ]
        assert sorted(filter(None, shown)) == sorted(said.values())
        turns += sum(map(len, shown))
    assert turns > 1000


def test_every_reply_of_every_game_equals_its_log(root: Path, built: Path, readers: dict[Path, Reader]) -> None:
    replies = 0
    for log in (root / "runs").glob("cascades/*/logs/*/*.jsonl"):
        records = [json.loads(line) for line in log.read_text("utf-8").split("\n") if line]
        said = [record["text"] for record in records if record["event"] == "call"]
        page = built / "cascades" / log.parts[-4] / "games" / log.parent.name / log.stem / "index.html"
        assert sorted(readers[page].said) == sorted(said), log.stem
        replies += len(said)
    assert replies > 500


@pytest.mark.browser
def test_prompts_and_replies_are_equal_in_a_browser_without_scripts(visit: Any, root: Path) -> None:
    team = fixture_names.slug(fixture_cascades.HOSTILE)
    log = root / f"runs/cascades/v1/logs/{team}/nofix-2-s00-a1.jsonl"
    records = [json.loads(line) for line in log.read_text("utf-8").split("\n") if line]
    calls = [record for record in records if record["event"] == "call"]
    page = visit(f"cascades/v1/games/{team}/nofix-2-s00-a1/", scripts=False).page
    assert sorted(page.locator(".said").all_text_contents()) == sorted(call["text"] for call in calls)
    prompts = page.locator(".turn .prompt").all_text_contents()
    assert sorted(prompts) == sorted(call["user"] for call in calls)


def test_a_line_feed_at_the_start_of_a_prompt_survives_its_element() -> None:
    # HTML drops one right after <pre>, so each template has one of its own there.
    from leaderboard.render import TEMPLATES

    for template in TEMPLATES.rglob("*.html"):
        for start in template.read_text("utf-8").split('<pre class="prompt"')[1:]:
            assert start.partition(">")[2].startswith("\n{{"), template


@pytest.mark.parametrize("text", fixture_names.HOSTILE_TEXTS)
def test_a_hostile_text_is_in_the_fixture_as_it_is(text: str, root: Path) -> None:
    logs = (root / "runs/court/v3/logs").glob("*/*.jsonl")
    assert any(json.dumps(text, ensure_ascii=False)[1:-1] in log.read_text("utf-8") for log in logs)


def test_no_page_of_data_has_inline_script_style_or_handler(built: Path, readers: dict[Path, Reader]) -> None:
    data = {built / "index.html", *(built / "court").rglob("*.html")}
    for page in data:
        reader = readers[page]
        assert reader.inline == [], page
        assert len(reader.policies) == 1
        assert "default-src 'self'" in reader.policies[0]
        assert "unsafe" not in reader.policies[0]


def test_names_are_shown_as_text_and_stay_in_their_folders(built: Path) -> None:
    text = "".join(read(built / "court/v3/index.html").text)
    names = [*fixture_names.MODELS, fixture_names.EMPTY, fixture_money.PRICED]
    for name in names:
        assert name in text
    folders = {path.name for path in (built / "court/v3/models").iterdir()}
    assert folders == {fixture_names.slug(name) for name in names}


def test_names_that_hide_something_say_so(built: Path) -> None:
    assert "U+202E" in "".join(read(built / "court/index.html").text)


@given(st.text())
def test_slugs_follow_the_log_schema(name: str) -> None:
    made = slug(name)
    assert made == fixture_names.slug(name)
    assert made.isascii()
    assert len(made) <= 49
    assert not set(made) - set("abcdefghijklmnopqrstuvwxyz0123456789-")


@given(st.sets(st.text(alphabet="aA/_-. é", max_size=4), max_size=60))
def test_two_names_never_share_a_slug(names: set[str]) -> None:
    assert len({slug(name) for name in names}) == len(names)


@given(st.lists(st.text(alphabet="ab\u200b\u202e\ufffd", max_size=4), max_size=20))
def test_labels_of_charts_hide_nothing_and_stay_apart(names: list[str]) -> None:
    labels = show.visible(names)
    assert len(set(labels.values())) == len(set(names))
    assert not any(show.unseen(label) for label in labels.values())


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_escaping_survives_a_parser(text: str) -> None:
    from leaderboard.render import environment

    reader = Reader()
    reader.feed(environment().from_string('<div class="said">{{ text }}</div>').render(text=text))
    reader.close()
    assert reader.said == [text]


@given(st.text(alphabet="`R1A6 x*_", max_size=30))
def test_marking_up_a_rule_loses_nothing_but_the_marks(text: str) -> None:
    parts = show.rule_parts(text)
    assert "".join(f"`{p.text}`" if p.kind == "code" else p.text for p in parts) == text
