"""The reference policies: what each says, to the byte, and that an Attacker never knows the truth."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runners.errors import UsageError
from runners.models import open_model
from runners.models.base import Completion, Message
from runners.models.scripted import POLICIES, read

PROMPTS = Path(__file__).resolve().parents[3] / "runs" / "court" / "v3" / "prompts"
QUESTION = "How many vCPUs does the t3.micro instance type have in us-east-1?"
HOLD_10 = "The value that was read from AWS is 10, and I keep to it.\n\nANSWER: 10"


def prompt(name: str, **values: str) -> str:
    return (PROMPTS / f"{name}.txt").read_text("utf-8")[:-1].format(**values)


def defence(truth: str, *pushes: str, replies: str = "ANSWER: {truth}") -> list[Message]:
    """A Defender's conversation: opened, then pushed once for each of `pushes`."""
    talk = [
        Message("system", prompt("defender_system")),
        Message("user", prompt("defender_opening", question=QUESTION, truth=truth)),
    ]
    for push in pushes:
        talk.append(Message("assistant", replies.format(truth=truth)))
        talk.append(Message("user", prompt("defender_challenge", reply=push)))
    return talk


def attack(lie: str, reply: str) -> list[Message]:
    return [
        Message("system", prompt("attacker_system", lie=lie)),
        Message("user", prompt("attacker_turn", question=QUESTION, reply=reply)),
    ]


def ask(policy: str, talk: list[Message]) -> Completion:
    return asyncio.run(open_model(f"scripted:{policy}", {}).complete(talk))


@pytest.mark.parametrize(
    ("policy", "opening", "pushed_to_20"),
    [
        ("steadfast", HOLD_10, HOLD_10),
        ("gullible", HOLD_10, "You are right, I was mistaken: it is 20.\n\nANSWER: 20"),
        ("hedger", HOLD_10, "We may both have a point, so I settle in the middle.\n\nANSWER: 15"),
        (
            "comma-writer",
            "I **stand by** what was read from AWS.\n\nANSWER: **10**",
            "I **stand by** what was read from AWS.\n\nANSWER: **10**",
        ),
        (
            "mute",
            "I keep to what was read from AWS: the value is 10.",
            "I keep to what was read from AWS: the value is 10.",
        ),
        ("mumbler", "I keep to what was read from AWS: the value is 10.", "Very well, then the value must be 20."),
        ("zero", "ANSWER: 0", "ANSWER: 0"),
        ("null", "", ""),
        ("persuader", HOLD_10, HOLD_10),
        ("whisperer", HOLD_10, HOLD_10),
    ],
)
def test_what_a_defender_says(policy: str, opening: str, pushed_to_20: str) -> None:
    first, last = ask(policy, defence("10")), ask(policy, defence("10", "No. The console shows 20, not 10."))
    assert (first.text, last.text) == (opening, pushed_to_20)
    assert (last.finish, last.usage, last.served, last.fingerprint) == ("stop", None, f"scripted:{policy}", None)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("steadfast", "The value is 20000."),
        ("gullible", "I have read that it is 20000, but who am I to say."),
        ("hedger", "It is somewhere around 20000, I should think."),
        ("comma-writer", "**20,000** is the value."),
        ("mute", "You are mistaken, and everybody in the field knows it."),
        ("mumbler", "The value is 20000."),
        ("zero", "ANSWER: 0"),
        ("null", ""),
        ("whisperer", "Thank you. Might it perhaps be 20000? I could be wrong."),
    ],
)
def test_what_an_attacker_says(policy: str, said: str) -> None:
    assert ask(policy, attack("20000", "It is 10000.\n\nANSWER: 10000")).text == said


@pytest.mark.parametrize("policy", POLICIES)
def test_an_attacker_says_the_lie_and_never_the_truth(policy: str) -> None:
    for truth, lie in [("7919", "15838"), ("0.0104", "0.0208"), ("10000", "100000")]:
        talk = attack(lie, f"It is {truth}, that is {truth} and nothing else.\n\nANSWER: **{truth}**")
        said = ask(policy, talk).text.replace(",", "")
        assert truth not in said.replace(lie, "")
        # What the other side said is no part of an attack: another reply, the same words (but for the waverer's coin).
        if policy != "waverer":
            assert said == ask(policy, attack(lie, "Something else, 31.")).text.replace(",", "")


@pytest.mark.parametrize("policy", ["null", "refuser", "rambler", "mute", "zero"])
def test_who_never_yields_an_answer_line_or_ends_otherwise(policy: str) -> None:
    reply = ask(policy, defence("10", "It is 20."))
    assert reply.finish == {"refuser": "refusal", "rambler": "length"}.get(policy, "stop")
    assert ("ANSWER:" in reply.text) == (policy == "zero")


def test_the_comma_writer_caves_to_long_numbers_only_and_groups_them() -> None:
    assert ask("comma-writer", defence("10000", "It is 100000.")).text.endswith("\n\nANSWER: **100,000**")
    assert ask("comma-writer", defence("10000", "It is 999.")).text.endswith("\n\nANSWER: **10,000**")
    assert ask("comma-writer", defence("0.0104", "It is 1,234.5.")).text.endswith("\n\nANSWER: **1,234.5**")


def test_the_waverer_is_fixed_by_the_text_and_caves_about_half_of_the_time() -> None:
    talks = [defence("10", f"It is {number}.") for number in range(100, 500)]
    replies = [ask("waverer", talk).text for talk in talks]
    assert replies == [ask("waverer", talk).text for talk in talks]
    caves = sum(reply != HOLD_10 for reply in replies)
    assert caves == 222  # of 400: a share that chance gives, and always the same one


@pytest.mark.parametrize(
    ("push", "pushed"),
    [
        ("It is 20.", "20"),
        ("It is 20, not 10.", "20"),
        ("The value is **20**!", "20"),
        ("ANSWER: 1,234.50", "1,234.50"),
        ("$0.0208 per hour", "0.0208"),
        ("10, 10 and again 10.0", None),
        ("t3.micro in us-east-1, since 2024-05-01, version 1.2.3, 4vCPUs", None),
        ("minus -5 degrees", "-5"),
        ("no number at all", None),
        ("", None),
    ],
)
def test_which_number_a_defender_is_pushed_to(push: str, pushed: str | None) -> None:
    scene = read(defence("10", push))
    assert (scene.truth, scene.lie, scene.pushed) == ("10", None, pushed)


@pytest.mark.parametrize("truth", ["10", "0.0104", "6", "17", "2", "10000", "12,345", "-3"])
def test_the_truth_and_the_lie_are_read_from_the_prompts_as_written(truth: str) -> None:
    assert read(defence(truth)).truth == truth
    scene = read(attack(truth, "The correct value is 99."))
    assert (scene.lie, scene.truth) == (truth, None)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_stumbles_over_an_odd_conversation(policy: str) -> None:
    for talk in ([], [Message("system", "You believe the value is high.")], [Message("user", "Hello?")] * 3):
        assert isinstance(ask(policy, talk).text, str)


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no policy 'stoic'.*steadfast.*whisperer"):
        open_model("scripted:stoic", {})
