"""The audit lists what its rules say, each entry with the way to its text, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from leaderboard.court.audit import apart
from leaderboard.pages import audit as pages_audit
from leaderboard.pages.common import VersionNav
from leaderboard.render import Link, Outside, render
from leaderboard.shapes import Rate
from tests.site import fixture_cascades
from tests.site.fixture_names import slug
from tests.site.pagetext import read


def section(path: Path, key: str) -> str:
    """Give one list of an audit as HTML."""
    html = path.read_text("utf-8")
    start = html.index(f'<section class="block" aria-labelledby="{key}">')
    return html[start : html.index("</section>", start)]


def links(html: str) -> list[str]:
    return re.findall(r'<a href="\.\./\.\./\.\./([^"]+)">', html)


def duels(root: Path, version: str = "v3") -> list[dict]:
    return json.loads((root / "tables/court" / version / "checked.json").read_text("utf-8"))["duels"]


@pytest.mark.parametrize("state", ["unparsed", "refused", "truncated", "failed", "missing"])
def test_every_duel_of_a_state_is_listed_with_its_transcript(root: Path, built: Path, state: str) -> None:
    expected = sum(d["state"] == state for d in duels(root))
    found = links(section(built / "court/v3/audit/index.html", state))
    assert len(found) == expected > 0
    assert all((built / link.partition("#")[0] / "index.html").is_file() for link in found)


def test_third_answers_lead_to_the_turn_that_holds_them(root: Path, built: Path) -> None:
    html = section(built / "court/v3/audit/index.html", "third")
    assert len(links(html)) == sum(d["state"] == "scored" and d["verdicts"][-1] == "third" for d in duels(root)) > 0
    assert all(link.endswith("#turn-2") for link in links(html))
    assert "1000" in html


def test_empty_replies_and_failed_attempts_of_the_logs_are_listed(root: Path, built: Path) -> None:
    events = [
        json.loads(line)
        for log in (root / "runs/court/v3/logs").glob("*/*.jsonl")
        for line in log.read_text("utf-8").split("\n")
        if line
    ]
    page = built / "court/v3/audit/index.html"
    empty = [e for e in events if e["event"] == "call" and e["finish"] == "stop" and not e["text"].strip("\t\n\v\f\r ")]
    assert len(links(section(page, "empty"))) == len(empty) > 0
    failures = [e for e in events if e["event"] == "failure"]
    assert len(links(section(page, "failures"))) == len(failures) > 0


def test_an_outlier_is_apart_and_an_empty_or_touching_rate_is_none() -> None:
    low, high = Rate(1, 90, 0.01, 0.0, 0.1), Rate(80, 90, 0.9, 0.8, 1.0)
    assert apart(low, high)
    assert apart(high, low)
    assert not apart(low, Rate(5, 90, 0.1, 0.1, 0.2))
    assert not apart(Rate(0, 0, None, None, None), high)


def test_outliers_name_the_model_the_rule_and_what_it_is_compared_with(built: Path) -> None:
    html = section(built / "court/v3/audit/index.html", "outliers")
    row = next(r for r in html.split("<tr>") if "scripted:gullible" in r and "Defender" in r)
    assert "Rule: the published 95% interval" in html
    assert f"court/v3/models/{slug('scripted:gullible')}/" in links(row)


def test_a_version_without_shared_runs_has_nothing_to_compare(built: Path) -> None:
    assert "None." in section(built / "court/v3/audit/index.html", "grammars")


def test_the_lists_of_cascades_come_from_games_and_lead_to_their_turns(root: Path, built: Path) -> None:
    page = built / "cascades/v1/audit/index.html"
    checked = json.loads((root / "tables/cascades/v1/checked.json").read_text("utf-8"))
    silent = {(s["model"], s["run"]) for s in checked["slots"] if s["submission"] is None}
    assert len(links(section(page, "silent"))) == len(silent) > 0
    unread = [g for g in checked["games"] if g["unparsed_turns"]]
    assert len(links(section(page, "unread"))) >= len(unread) > 0
    trusted = links(section(page, "trusted"))
    adopted = [s for s in checked["slots"] if s["adopted"]]
    assert len(trusted) >= len(adopted) > 0
    assert all(f"/{slug(fixture_cascades.BELIEVER)}/" in link for link in trusted)
    ids = read(built / trusted[0].partition("#")[0] / "index.html").ids
    assert trusted[0].partition("#")[2] in ids
    assert links(section(page, "failures"))


def test_an_audit_is_a_tab_of_its_version_and_says_where_it_is(built: Path) -> None:
    for version in ("court/v1", "court/v3", "cascades/v1"):
        assert f"../../{version}/audit/" in read(built / version / "index.html").links
        assert 'aria-current="page">Audit' in (built / version / "audit/index.html").read_text("utf-8")


def test_a_long_list_says_how_much_of_it_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_audit, "_MOST", 2)
    entries = tuple(pages_audit.Entry(f"m{n}", ("",), Link("See it", "x/")) for n in range(3))
    page = pages_audit.AuditPage(
        address="court/v9/audit/",
        title="Audit",
        description="All of it.",
        nav=VersionNav("Version 9", (), (), "Audit", "v9"),
        errata=(),
        sections=(pages_audit.Section("many", "Many", "Rule.", ("A", "B"), entries),),
        check="",
    )
    html = render(page, Outside())[1].decode()
    assert "3 entries, of which the first 2 are listed" in html
    assert html.count(">See it</a>") == 2
