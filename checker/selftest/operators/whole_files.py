"""Whole files: moved, lost, added, cut, linked, and single bytes of any of them."""

from __future__ import annotations

from typing import Final

from checker.selftest.operators.operator import BARE, Catalogue, Change, Hand, NoPlace, one_file
from checker.selftest.world import Content, Link

WHOLE_FILES: Final = Catalogue("any file")
operator = WHOLE_FILES.operator


def any_path(hand: Hand) -> str:
    """A file of the version, each kind as likely as the others: logs are many."""
    world = hand.world
    others = [path for path in world.below(world.runs, world.tables) if path not in world.logs]
    return hand.pick([*others, *[hand.pick(world.logs)] * 3])


@operator("flip-a-byte", "One byte of any file becomes another one, and nothing else.", mends=BARE)
def _(hand: Hand) -> Change:
    path = any_path(hand)
    data = hand.world.files[path]
    at = hand.chance.randrange(len(data))
    new = data[at] ^ (1 << hand.chance.randrange(8))
    if path.endswith("MANIFEST.json") and (chr(data[at]).isspace() or chr(new).isspace()):
        raise NoPlace  # white space between values means nothing, and nothing but an anchor vouches for this file
    if path.endswith("MANIFEST.json") and 0 <= data.find(b'"frozen"') <= at:
        raise NoPlace  # nor for most of what a freeze says: see change-the-freeze and change-the-record-of-a-freeze
    return one_file(path, data[:at] + bytes([new]) + data[at + 1 :], f"byte {at}: {data[at]} → {new}",
                    data.count(b"\n", 0, at) + 1)  # fmt: skip


@operator("cut-a-file", "Any file ends earlier.", mends=BARE, refusal=True)
def _(hand: Hand) -> Change:
    path = any_path(hand)
    data = hand.world.files[path]
    at = hand.pick([0, hand.chance.randrange(len(data) - 1)])
    return one_file(path, data[:at], f"cut after {at} of {len(data)} bytes")


@operator("put-crlf-everywhere", "Every line of a file that is no log ends in CR LF.", mends=BARE)
def _(hand: Hand) -> Change:
    path = any_path(hand)
    data = hand.world.files[path]
    if path in hand.world.logs or path.endswith((".parquet", "MANIFEST.json")) or b"\n" not in data:
        raise NoPlace
    return one_file(path, data.replace(b"\n", b"\r\n"), "LF → CR LF")


@operator("put-a-mark-in-front", "A file begins with a byte order mark.", mends=BARE)
def _(hand: Hand) -> Change:
    path = any_path(hand)
    return one_file(path, b"\xef\xbb\xbf" + hand.world.files[path], "U+FEFF in front")


@operator("delete-a-file", "A file is gone, but MANIFEST.json lists it.", mends=BARE, refusal=True)
def _(hand: Hand) -> Change:
    path = any_path(hand)
    if path.endswith("MANIFEST.json"):
        raise NoPlace  # what does not stand there cannot be compared: see take-the-manifest-away
    return one_file(path, None, "deleted")


@operator("add-a-file", "A file more lies in the version's folders.", mends=BARE)
def _(hand: Hand) -> Change:
    world = hand.world
    near = any_path(hand)
    names = ["notes.txt", "spec.JSON", "x.jsonl", ".hidden", "A B.csv", "é.json", "x" * 100]
    path = near.rpartition("/")[0] + "/" + hand.pick(names)
    if path in world.files:
        raise NoPlace
    return one_file(path, hand.pick([b"", b"{}\n", world.files[near]]), "added")


@operator("lay-a-file-into-logs", "A file that is no log lies below logs/, and every digest fits.")
def _(hand: Hand) -> Change:
    folder, _, name = hand.pick(hand.world.logs).rpartition("/")
    stem = name.removesuffix(".jsonl")
    path = hand.pick([
        f"{folder}/{stem}.jsonl.bak", f"{folder}/{stem}.json", f"{folder}/{stem.upper()}.jsonl", f"{folder}/x/{name}",
        f"{folder}/.{name}", f"{hand.world.runs}/logs/{name}", f"{folder}/{stem} (2).jsonl",
    ])  # fmt: skip
    return one_file(path, hand.pick([b"", hand.world.files[f"{folder}/{name}"]]), "added")


@operator("put-a-link-there", "A file is a symbolic link, even to the same bytes.", refusal=True)
def _(hand: Hand) -> Change:
    path = hand.pick([any_path(hand), *hand.world.logs])
    if path.endswith("MANIFEST.json"):
        raise NoPlace
    other = hand.pick([path.rpartition("/")[2] + ".real", "/dev/null"])
    files: dict[str, Content] = {path: Link(other)}
    if other != "/dev/null":
        files[f"{path.rpartition('/')[0]}/{other}"] = hand.world.files[path]
    return Change(files, path, None, f"a link to {other}")


# --- logs -------------------------------------------------------------------------------------------------------------


@operator("rename-a-log", "A log lies under another name, as a run that it does not say it is.", changes="log")
def _(hand: Hand) -> Change:
    old = hand.pick(hand.world.logs)
    folder, _, name = old.rpartition("/")
    stem = name.removesuffix(".jsonl")
    path = f"{folder}/{hand.pick([stem + '-b', stem[:-1] + '8', 'x', stem.replace('-', '_'), stem.upper()])}.jsonl"
    return Change({old: None, path: hand.world.files[old]}, path, None, f"was {name}", also=(old,))


@operator("rename-a-folder", "A model's logs lie in another folder: another case, another model's.", changes="log")
def _(hand: Hand) -> Change:
    world = hand.world
    folder = hand.pick(world.logs).rpartition("/")[0]
    slug = folder.rpartition("/")[2]
    others = [path.split("/")[-2] for path in world.logs]
    new = hand.pick([slug.upper(), slug.capitalize(), slug[:-1] + ("0" if slug[-1] != "0" else "1"), slug[9:], *others])
    target = f"{world.runs}/logs/{new}"
    files: dict[str, Content] = {}
    for path in world.below(folder):
        files |= {path: None, path.replace(folder, target): world.files[path]}
    if new == slug or any(path in world.files for path, data in files.items() if data is not None):
        raise NoPlace
    return Change(files, f"{target}/{world.below(folder)[0].rpartition('/')[2]}", None, f"was {slug}", (target,))


@operator("swap-two-logs", "Two logs lie in each other's place.", changes="log")
def _(hand: Hand) -> Change:
    logs = hand.world.logs
    one, other = hand.chance.sample(logs, 2)
    files = hand.world.files
    return Change({one: files[other], other: files[one]}, one, None, f"changes places with {other}")


@operator("copy-a-log", "A log lies there a second time, under another name.", changes="log")
def _(hand: Hand) -> Change:
    path = hand.pick(hand.world.logs)
    new = path.removesuffix(".jsonl") + hand.pick(["-2", "b", "-copy", "0"]) + ".jsonl"
    return one_file(new, hand.world.files[path], f"a copy of {path.rpartition('/')[2]}")
