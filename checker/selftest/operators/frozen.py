"""What is frozen: the spec, the files that it names, AMENDMENTS.json, REUSED.json."""

from __future__ import annotations

import json
from typing import Any, Final

from checker.court.lies import LIE_RULES, lie
from checker.selftest.operators.operator import CASCADES, COURT, Catalogue, Change, Hand, NoPlace, one_file, replaced
from checker.selftest.operators.spec_changes import change_spec
from checker.selftest.world import Files, document, sha256
from checker.selftest.worlds.events import clock
from checker.selftest.worlds.landscape import Landscape

FROZEN: Final = Catalogue("spec")
operator = FROZEN.operator


def depends(hand: Hand) -> tuple[str, ...]:
    """What depends on the spec: the other files of runs/, and every number."""
    return (hand.world.runs + "/", hand.world.tables + "/builder.json")


def rechained(hand: Hand, spec: bytes) -> Files:
    """Another spec.json, and the logs that were played under it chained from it."""
    world = hand.world
    files: Files = {f"{world.runs}/spec.json": spec}
    for path in world.logs:
        log = world.log(path)
        if log.lines[0]["prev"] == world.stated[0]:
            files[path] = log.chained(sha256(spec))
    return files


def with_file(hand: Hand, name: str, data: bytes) -> Files:
    """A file that the spec names is another one, and the spec says so."""
    spec = json.loads(json.dumps(hand.world.spec))
    spec["files"][name] = sha256(data)
    return rechained(hand, document(spec)) | {f"{hand.world.runs}/{name}": data}


# --- spec.json --------------------------------------------------------------------------------------------------------


@operator("change-the-spec", "The spec says something else, after the logs were played.", alone=True)
def _(hand: Hand) -> Change:
    spec, what = change_spec(hand)
    return one_file(f"{hand.world.runs}/spec.json", document(spec), what, also=depends(hand))


@operator("change-the-spec-and-rechain", "The spec says something else, and the logs are chained from it.", alone=True)
def _(hand: Hand) -> Change:
    spec, what = change_spec(hand)
    files = rechained(hand, document(spec))
    return Change(files, f"{hand.world.runs}/spec.json", None, what, depends(hand))


# --- prompts ----------------------------------------------------------------------------------------------------------


def edited(hand: Hand, text: str) -> tuple[str, str]:
    """A text with one change before its last character."""
    at = hand.chance.randrange(len(text) - 1)
    way = hand.pick([" ", "\n", "\u200b", "x", ""])
    return text[:at] + way + text[at + (way == "") :], f"character {at + 1}: {way!r}"


def prompt(hand: Hand, starts: str = "") -> tuple[str, str]:
    """The name of a prompt file, and its text."""
    world = hand.world
    folder = f"{world.runs}/prompts"
    path = hand.pick([path for path in world.below(folder) if path.startswith(f"{folder}/{starts}")])
    return path.removeprefix(world.runs + "/"), world.files[path].decode()


@operator("edit-a-prompt-file", "A prompt file has one character more or less.", changes="prompt")
def _(hand: Hand) -> Change:
    name, text = prompt(hand)
    new, what = edited(hand, text)
    return one_file(f"{hand.world.runs}/{name}", new.encode(), what)


@operator(
    "edit-a-prompt-file-and-the-spec",
    "A prompt file has one character more or less, and the spec its new digest.",
    changes="prompt",
    alone=True,
)
def _(hand: Hand) -> Change:
    # In Cascades a prompt's words show in a log only by its digest, but the notes are posted.
    name, text = prompt(hand, "note_" if hand.world.benchmark == CASCADES else "")
    new, what = edited(hand, text)
    return Change(with_file(hand, name, new.encode()), f"{hand.world.runs}/{name}", None, what, depends(hand))


@operator(
    "tell-the-attacker-the-truth",
    "A prompt of the Attacker has a place for the truth, and the spec its new digest.",
    COURT,
    changes="prompt",
    alone=True,
)
def _(hand: Hand) -> Change:
    name, text = prompt(hand, "attacker_")
    at = hand.chance.randrange(len(text))
    new = text[:at] + "{truth}" + text[at:]
    return Change(with_file(hand, name, new.encode()), f"{hand.world.runs}/{name}", None, f"at {at}", depends(hand))


# --- items.jsonl ------------------------------------------------------------------------------------------------------


def items_of(hand: Hand) -> list[dict[str, Any]]:
    """The rows of items.jsonl."""
    return [json.loads(line) for line in hand.world.files[f"{hand.world.runs}/items.jsonl"].splitlines()]


def items_bytes(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@operator("change-an-item", "A row of items.jsonl says something else.", changes="items", alone=True)
def _(hand: Hand) -> Change:
    path = f"{hand.world.runs}/items.jsonl"
    text = hand.world.files[path].decode()
    new, what = edited(hand, text)
    return one_file(path, new.encode(), what, also=depends(hand))


@operator(
    "change-a-fact-and-the-spec",
    "A fact has another question, rule or place, and the spec fits.",
    COURT,
    changes="items",
    alone=True,
)
def _(hand: Hand) -> Change:
    rows = items_of(hand)
    row, way = hand.pick(rows[:2]), hand.pick(["question", "lie_rule", "order", "drop", "twice", "fact", "no rule"])
    if way == "question":
        row["question"], _ = edited(hand, row["question"])
    elif way == "lie_rule":
        old, truth = lie(row["lie_rule"], row["truth"]), row["truth"]
        row["lie_rule"] = hand.pick([rule for rule in LIE_RULES if lie(rule, truth) != old])
    elif way == "order":
        rows[:2] = rows[1::-1]
    elif way == "drop":
        rows.remove(row)
    elif way == "twice":
        rows.append(dict(row))
    else:
        row["fact" if way == "fact" else "lie_rule"] += hand.pick(["s", " ", "_2"])
    files = with_file(hand, "items.jsonl", items_bytes(rows))
    return Change(files, f"{hand.world.runs}/items.jsonl", None, f"{way}: {row['fact']}", depends(hand))


@operator(
    "change-a-landscape-and-the-spec",
    "A landscape has other extremes, points or plants, and the spec fits.",
    CASCADES,
    changes="items",
    alone=True,
)
def _(hand: Hand) -> Change:
    rows = items_of(hand)
    row, way = hand.pick(rows), hand.pick(["extreme", "points", "raise", "plant", "seed", "claim"])
    own = hand.pick(row["plants"])
    if way == "extreme":
        name = hand.pick(["low", "high"])
        row[name] = max(0, row[name] + hand.pick([-1, 1, 10])) if name == "high" else row[name] + 1
    elif way == "points":
        config = hand.pick([own["receipt_config"], own["filler_config"]])
        knob = hand.chance.randrange(6)
        row["unary"][knob][config[knob]] += hand.pick([20, 40])
    elif way == "raise":
        land = Landscape("", 0, row["unary"], row["pairs"], row["tables"], row["low"], row["high"], {}, {})
        own["config"] = [hand.chance.randrange(10) for _ in range(6)]
        if land.score(own["config"]) <= 3500:
            raise NoPlace
    elif way == "plant":
        name = hand.pick(["config", "receipt_config", "filler_config"])
        own[name][hand.chance.randrange(6)] = hand.chance.randrange(10)
    elif way == "seed":
        rows.remove(row)
    else:
        own["claimed"] += hand.pick([-100, 1, 100])
    if rows == items_of(hand):
        raise NoPlace
    files = with_file(hand, "items.jsonl", items_bytes(rows))
    return Change(files, f"{hand.world.runs}/items.jsonl", None, f"{way}: seed {row['seed']}", depends(hand))


# --- AMENDMENTS.json and REUSED.json ----------------------------------------------------------------------------------


@operator(
    "amend-otherwise",
    "An amendment has other settings, another day, names other models, or is gone.",
    changes="amendments",
    alone=True,
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.runs}/AMENDMENTS.json"
    if path not in hand.world.files:
        raise NoPlace
    entries = json.loads(hand.world.files[path])
    # One entry of the good data names a model, by a `*`; the other one names nobody.
    used = next(entry for entry in entries if "d*" in entry["models"] or "e*m" in entry["models"])
    idle = next(entry for entry in entries if entry is not used)
    way = hand.pick(["settings", "gone", "late", "back", "wide", "twice", "key", "shape"])
    if way == "settings":
        used["settings"] = hand.pick([{}, {"max_tokens": 601}, {"max_tokens": 600, "seed": 1}, {"max_tokens": 3}])
    elif way == "gone":
        entries.remove(used)
    elif way == "late":
        used["at"] = clock(hand.pick([5_000_000, 90_000_000]))
    elif way == "back":
        entries[1]["at"] = "2026-01-01T00:00:00.000Z"
    elif way == "wide":
        used["models"] = hand.pick(["scripted:*", "openai:nobody2", used["models"][:-1] + "zz"])
    elif way == "twice":
        wide = used["models"].split(":")[0] + ":*"
        entries.append(used | {"at": entries[-1]["at"], "models": hand.pick([used["models"], wide])})
    elif way == "key":
        hand.pick(entries).pop(hand.pick(["at", "models", "settings", "reason"]))
    else:
        wrong = [("at", "today"), ("models", "nobody"), ("models", "*:x"), ("settings", 1), ("reason", None)]
        replaced(idle, *hand.pick(wrong))
    content = None if way == "gone" and hand.pick([True, False]) else document(entries)
    also = (f"{hand.world.runs}/logs/",)
    return one_file(path, content, way, also=also)


@operator(
    "reuse-otherwise",
    "REUSED.json says another origin or digest, or is gone.",
    COURT,
    changes="reused logs",
    alone=True,
)
def _(hand: Hand) -> Change:
    world = hand.world
    path = f"{world.runs}/REUSED.json"
    if path not in world.files:
        raise NoPlace
    reused = json.loads(world.files[path])
    (name, entry), *_ = reused.items()
    way = hand.pick(["from", "sha256", "spec_sha256", "gone", "absent", "key", "list", "play"])
    what, files = way, Files()
    if way in ("sha256", "spec_sha256"):
        what = replaced(entry, way, hand.pick([entry[way][::-1], "", entry[way].upper()]))
    elif way == "from":
        what = replaced(entry, way, hand.pick(["court/played", "court/none", "cascades/small", "../imported", "court"]))
    elif way == "gone":
        del reused[name]
    elif way == "absent":
        reused[name.replace("round-1", "round-2")] = entry
    elif way == "key":
        entry.pop(hand.pick(list(entry)))
    elif way == "play":
        other = "runs/court/imported/spec.json"
        spec = json.loads(world.files[other])
        spec["play"][hand.pick(["sudden_death_rounds", "rounds"])] += hand.pick([1, 2])
        files[other] = document(spec)
        entry["spec_sha256"] = sha256(document(spec))
    content = document([reused] if way == "list" else reused)
    return Change(files | {path: content}, path, None, what, (f"{world.runs}/logs/",))
