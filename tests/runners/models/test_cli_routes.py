"""`claude-cli:` and `agy:` against stand-in programs on PATH: what they are given, every reply, every failure."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from runners.errors import CallFailed, UsageError
from runners.models import agy, claude_cli
from runners.models.base import Completion, Message, Model, Usage
from runners.models.command import LONGEST_OUTPUT, prompt_text
from runners.models.diagnosis import kind_of, seconds_until_reset

ASKED = [Message("system", "Be brief."), Message("user", "2 + 2?")]
TALK = [*ASKED, Message("assistant", "4"), Message("user", "Sure?")]
HOSTILE = "--dangerously-skip-permissions\n/login @/etc/passwd $(touch x) `id` \"'; \\ \x1b[31m \u202e -- é 😀\n"

# Writes down what it was given, then does what it is told: write, start a child, sleep, end with a code.
PROGRAM = """#!{python} -IS
import json, os, subprocess, sys, time
here = {here!r}
told = json.load(open(here + "/told.json"))
seen = dict(argv=sys.argv[1:], cwd=os.getcwd(), inside=os.listdir("."), environment=dict(os.environ), pid=os.getpid())
seen["stdin"] = sys.stdin.buffer.read().decode() if told["reads"] else None
with open(here + "/seen-%d.json" % os.getpid(), "w") as file:
    json.dump(seen, file)
if told["child"]:
    child = subprocess.Popen(["sleep", "600"], start_new_session=told["child"] == "escaped")
    open(here + "/child", "w").write(str(child.pid))
for name, text in (("stdout", told["out"]), ("stderr", told["err"])):
    getattr(sys, name).buffer.write(bytes.fromhex(text) * told["times"])
    getattr(sys, name).flush()
if told["litter"]:
    open(told["litter"], "w").close()
time.sleep(told["sleep"])
if told["signal"]:
    os.kill(os.getpid(), told["signal"])
sys.exit(told["code"])
"""


@dataclass(frozen=True)
class StandIn:
    """A program on PATH under the name of the real one."""

    route: ModuleType
    name: str
    folder: Path

    def tell(self, out: object = b"", *, err: str = "", **more: Any) -> None:
        """What every run of it shall do; `out` is bytes, or an object to print as JSON."""
        data = out if isinstance(out, bytes) else json.dumps(out).encode()
        told = {"reads": True, "child": "", "litter": "", "sleep": 0, "signal": 0, "code": 0, "times": 1, **more}
        told |= {"out": data.hex(), "err": err.encode().hex()}
        (self.folder / "told.json").write_text(json.dumps(told), "utf-8")

    def seen(self) -> list[dict[str, Any]]:
        return [json.loads(path.read_text("utf-8")) for path in self.folder.glob("seen-*.json")]

    def open(self, ident: str = "some-model", settings: dict[str, Any] | None = None, **options: Any) -> Model:
        model: Model = self.route.open_model(ident, settings or {}, **options)
        return model

    def ask(self, messages: list[Message] = ASKED, ident: str = "some-model", **options: Any) -> Completion:
        return asyncio.run(self.open(ident, **options).complete(messages))

    def failure(self, **options: Any) -> CallFailed:
        with pytest.raises(CallFailed) as caught:
            self.ask(**options)
        return caught.value


Made = Callable[[ModuleType, str], StandIn]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    def make(route: ModuleType, name: str) -> StandIn:
        folder = tmp_path / f"stand-in {name}"  # a space, as home folders may have one
        folder.mkdir()
        program = folder / name
        program.write_text(PROGRAM.format(python=sys.executable, here=str(folder)), "utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("COUNTERSIGN_CACHE", str(tmp_path / "cache"))
        return StandIn(route, name, folder)

    return make


@pytest.fixture
def claude(made: Made) -> StandIn:
    return made(claude_cli, "claude")


@pytest.fixture
def anti(made: Made) -> StandIn:
    return made(agy, "agy")


@pytest.fixture(params=["claude", "agy"])
def either(request: pytest.FixtureRequest, made: Made) -> StandIn:
    return made({"claude": claude_cli, "agy": agy}[request.param], request.param)


def result(text: object = "4", **more: Any) -> dict[str, Any]:
    """A result as Claude Code 2.1 prints it."""
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "api_error_status": None,
        "duration_ms": 2267,
        "num_turns": 1,
        "result": text,
        "stop_reason": "end_turn",
        "session_id": "8b5de1fc-6b32-4a54-bacc-e9328bec7d25",
        "total_cost_usd": 0.18780875,
        "usage": {
            "input_tokens": 3,
            "cache_creation_input_tokens": 300,
            "cache_read_input_tokens": 20,
            "output_tokens": 8,
            "output_tokens_details": {"thinking_tokens": 5},
        },
        "modelUsage": {"claude-opus-5-5": {"inputTokens": 3, "outputTokens": 8, "costUSD": 0.18780875}},
        "permission_denials": [],
        **more,
    }


def alive(pid: int) -> bool:
    """Whether a process still runs; one that ended and was not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def soon(holds: Callable[[], bool]) -> bool:
    for _ in range(200):
        if holds():
            return True
        time.sleep(0.02)
    return False


# What the programs are given


def test_claude_gets_exactly_these_words(claude: StandIn) -> None:
    claude.tell(result())
    claude.ask(ident="opus", settings={"effort": "medium", "max_tokens": 4000})
    (seen,) = claude.seen()
    assert seen["argv"] == [
        *("-p", "--output-format", "json", "--tools", "", "--safe-mode", "--setting-sources=", "--strict-mcp-config"),
        *("--disable-slash-commands", "--no-session-persistence", "--model", "opus", "--effort", "medium"),
        "--system-prompt=Be brief.",
    ]
    assert seen["stdin"] == "2 + 2?"
    assert seen["environment"]["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "4000"
    for switch, value in claude_cli.SWITCHES.items():
        assert seen["environment"][switch] == value


def test_claude_gets_no_effort_and_no_limit_where_the_spec_has_none(
    claude: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "9")
    monkeypatch.setenv("CLAUDE_CODE_EFFORT_LEVEL", "max")
    monkeypatch.setenv("MAX_THINKING_TOKENS", "1")
    claude.tell(result())
    claude.ask([Message("user", "Hello")])
    (seen,) = claude.seen()
    assert "--effort" not in seen["argv"]
    assert seen["argv"][-1] == "--system-prompt="  # no system text at all, rather than that of the program
    names = set(seen["environment"])
    assert not names & {"CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_CODE_EFFORT_LEVEL", "MAX_THINKING_TOKENS"}


def test_agy_gets_the_words_of_the_seed_and_one_prompt(anti: StandIn) -> None:
    anti.tell(b"4\n")
    anti.ask(ident="Gemini 3.1 Pro (High)")
    (seen,) = anti.seen()
    assert seen["argv"] == ["-p=Be brief.\n\n2 + 2?", "--sandbox", "--model", "Gemini 3.1 Pro (High)"]
    assert seen["stdin"] == ""  # closed at once: the program would wait on an open one


def test_hostile_text_is_never_a_flag_or_a_command(either: StandIn) -> None:
    either.tell(result() if either.name == "claude" else b"4\n")
    either.ask([Message("system", HOSTILE), Message("user", HOSTILE)])
    (seen,) = either.seen()
    if either.name == "claude":
        assert seen["argv"][-1] == f"--system-prompt={HOSTILE}"
        assert seen["stdin"] == HOSTILE
    else:
        assert seen["argv"][0] == f"-p={HOSTILE}\n\n{HOSTILE}"
    assert not any(word.startswith("--dangerously") for word in seen["argv"])


@pytest.mark.parametrize("over", [0, 1])
def test_agy_takes_a_prompt_of_any_size(anti: StandIn, over: int) -> None:
    anti.tell(b"4\n")
    prompt = "é" * ((agy.LONGEST_ARGUMENT - len("-p=")) // 2) + "x" * over
    assert len(prompt.encode()) + len("-p=") == agy.LONGEST_ARGUMENT + over
    anti.ask([Message("user", prompt)])
    (seen,) = anti.seen()
    carried = ["--sandbox", "--model", "some-model"]
    assert (seen["argv"], seen["stdin"]) == ((carried, prompt) if over else ([f"-p={prompt}", *carried], ""))


def test_claude_takes_a_prompt_of_any_size(claude: StandIn) -> None:
    claude.tell(result())
    claude.ask([Message("user", "x" * 3_000_000)])
    assert claude.seen()[0]["stdin"] == "x" * 3_000_000


def test_a_system_text_that_no_argument_can_carry_is_a_failure(claude: StandIn) -> None:
    claude.tell(result())
    failed = claude.failure(messages=[Message("system", "x" * 140_000), Message("user", "?")])
    assert failed.kind == "config"
    assert "claude cannot be started" in failed.message


def test_a_prompt_that_is_no_text_is_a_failure(either: StandIn) -> None:
    either.tell(b"")
    assert either.failure(messages=[Message("user", "\ud800")]).kind == "config"


def test_earlier_turns_become_a_transcript() -> None:
    assert prompt_text(ASKED) == "2 + 2?"
    assert prompt_text(TALK) == "User:\n2 + 2?\n\nAssistant:\n4\n\nUser:\nSure?\n\nAssistant:"
    assert prompt_text([]) == "Assistant:"


def test_both_send_the_same_transcript(claude: StandIn, anti: StandIn) -> None:
    claude.tell(result())
    anti.tell(b"4\n")
    claude.ask(TALK)
    anti.ask(TALK)
    assert claude.seen()[0]["stdin"] == prompt_text(TALK)
    assert anti.seen()[0]["argv"][0] == f"-p=Be brief.\n\n{prompt_text(TALK)}"


def test_no_secret_of_another_provider_is_passed_on(either: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = (
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY", "GITHUB_TOKEN", "HF_TOKEN"),
        *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "MY_SECRET_THING", "COUNTERSIGN_COMPATIBLE_KEY"),
        *("PGPASSWORD", "openrouter_api_key"),
    )
    for name in secrets:
        monkeypatch.setenv(name, "not-for-you-4711")
    monkeypatch.setenv("LANG", "C.UTF-8")
    either.tell(result() if either.name == "claude" else b"4\n")
    either.ask()
    seen = either.seen()[0]["environment"]
    assert "not-for-you-4711" not in seen.values()
    assert (seen["LANG"], seen["HOME"]) == ("C.UTF-8", os.environ["HOME"])  # the login lives there


def test_claude_keeps_its_own_login_and_nothing_that_asks_or_bills_another(
    claude: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"CLAUDE_CODE_OAUTH_TOKEN": "the-subscription-itself", "CLAUDE_CONFIG_DIR": "/home/me/.claude2"}
    others = ("ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CODE_USE_BEDROCK", "CLAUDECODE", "VERTEX_REGION")
    for name, value in (kept | dict.fromkeys(others, "1")).items():
        monkeypatch.setenv(name, value)
    claude.tell(result())
    claude.ask()
    seen = claude.seen()[0]["environment"]
    assert {name: seen.get(name) for name in kept} == kept
    assert not set(seen) & set(others)


def test_sixteen_calls_at_once_share_one_empty_folder(either: StandIn) -> None:
    either.tell(result("yes") if either.name == "claude" else b"yes\n", sleep=0.2)

    async def all_at_once() -> list[Completion]:
        model = either.open()
        return await asyncio.gather(*(model.complete(ASKED) for _ in range(16)))

    assert [reply.text for reply in asyncio.run(all_at_once())] == ["yes"] * 16
    seen = either.seen()
    name = "claude-cli" if either.name == "claude" else "agy"
    assert len(seen) == 16
    assert {run["cwd"] for run in seen} == {str(Path(os.environ["COUNTERSIGN_CACHE"]) / "work" / name)}
    assert {run["environment"]["PWD"] for run in seen} == {run["cwd"] for run in seen}
    assert all(run["inside"] == [] for run in seen)


def test_a_folder_that_is_not_empty_stops_the_next_call(either: StandIn) -> None:
    either.tell(result() if either.name == "claude" else b"4\n", litter="notes.md")
    either.ask()
    failed = either.failure()
    assert failed.kind == "config"
    assert "'notes.md'; empty it" in failed.message
    assert len(either.seen()) == 1


# Time, size, and what a program leaves behind


@pytest.mark.parametrize("cancel", [False, True])
def test_a_timeout_or_a_cancellation_ends_the_whole_group(either: StandIn, cancel: bool) -> None:
    either.tell(b"half", sleep=600, child="child")

    async def stopped() -> None:
        call = asyncio.create_task(either.open(timeout=60 if cancel else 1.5).complete(ASKED))
        if cancel:
            assert await asyncio.to_thread(soon, lambda: (either.folder / "child").exists())
            await asyncio.sleep(0.1)
            call.cancel()
        await call

    with pytest.raises(asyncio.CancelledError if cancel else CallFailed) as caught:
        asyncio.run(stopped())
    if isinstance(caught.value, CallFailed):
        assert caught.value.kind == "timeout"
        assert "within 1.5 s" in caught.value.message
    pids = [either.seen()[0]["pid"], int((either.folder / "child").read_text())]
    assert soon(lambda: not any(alive(pid) for pid in pids))


def test_a_child_left_behind_holds_no_reply_back_and_does_not_stay(either: StandIn) -> None:
    either.tell(result() if either.name == "claude" else b"4\n", child="child")
    assert either.ask(timeout=60).text == "4"
    assert soon(lambda: not alive(int((either.folder / "child").read_text())))


def test_a_child_that_left_the_group_holds_no_reply_back(anti: StandIn) -> None:
    anti.tell(b"4\n", child="escaped")
    began = time.monotonic()
    assert anti.ask(timeout=60).text == "4"
    assert time.monotonic() - began < 20
    os.kill(int((anti.folder / "child").read_text()), 9)


def test_a_huge_reply_is_read_and_a_larger_one_is_refused(either: StandIn) -> None:
    if either.name == "agy":
        either.tell(b"x" * 1024, times=LONGEST_OUTPUT // 1024)
        assert len(either.ask().text) == LONGEST_OUTPUT
    either.tell(b"x" * 1024, times=LONGEST_OUTPUT // 1024 + 1, sleep=600)
    failed = either.failure(timeout=60)
    assert failed.kind == "error_body"
    assert "longer than 16,777,216 bytes" in failed.message


def test_a_flood_of_complaints_is_read_and_cut(either: StandIn) -> None:
    either.tell(b"", err="warning: disk is nearly full\n" * 1000, times=100, code=1)
    failed = either.failure(timeout=60)
    assert failed.kind == "error_body"
    assert len(failed.message) <= 400
    assert "\n" not in failed.message


def test_a_program_that_reads_nothing_may_answer(either: StandIn) -> None:
    either.tell(result() if either.name == "claude" else b"4\n", reads=False)
    assert either.ask([Message("user", "x" * 1_000_000)]).text == "4"


# Replies


def test_a_reply_of_claude(claude: StandIn) -> None:
    claude.tell(result("ANSWER: 4\n"))
    assert claude.ask() == Completion(
        "ANSWER: 4\n", "stop", Usage(323, 20, 300, 8, 5), served="claude-opus-5-5", fingerprint=None
    )


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("end_turn", "stop"), ("max_tokens", "length"), ("refusal", "refusal"), (None, "unknown"), ("else", "unknown")],
)
def test_why_claude_stopped(claude: StandIn, reason: str | None, finish: str) -> None:
    claude.tell(result(stop_reason=reason))
    reply = claude.ask()
    assert (reply.text, reply.finish) == ("4", finish)


def test_the_words_of_the_program_are_not_those_of_the_model(claude: StandIn) -> None:
    cut = "API Error: Claude's response exceeded the 4000 output token maximum. To configure this behavior, set …"
    claude.tell(result(cut, is_error=True, stop_reason="stop_sequence"), code=1)
    assert (reply := claude.ask()).text == ""
    assert (reply.finish, reply.usage, reply.served) == ("length", Usage(323, 20, 300, 8, 5), "claude-opus-5-5")
    claude.tell(result("API Error: … violates our Usage Policy", is_error=True, stop_reason="refusal"), code=1)
    assert (reply := claude.ask()).text == ""
    assert reply.finish == "refusal"


def test_claude_may_say_nothing_or_count_nothing(claude: StandIn) -> None:
    claude.tell(result("", usage={}, modelUsage={}))
    assert claude.ask() == Completion("", "stop", None, None)
    claude.tell(result("", usage={"input_tokens": -1, "output_tokens": True}, modelUsage=None))
    assert claude.ask().usage is None


def test_claude_tells_of_every_model_that_it_used(claude: StandIn) -> None:
    claude.tell(result(modelUsage={"claude-opus-5-5": {}, "claude-haiku-5": {}}))
    assert claude.ask().served == "claude-haiku-5, claude-opus-5-5"


def test_claude_may_print_a_list_that_ends_with_the_result(claude: StandIn) -> None:
    claude.tell([{"type": "system", "subtype": "init"}, result()])
    assert claude.ask().text == "4"


@pytest.mark.parametrize(("out", "text"), [(b"4\n", "4"), (b"4", "4"), (b" 4\n\n", " 4\n"), (b"", ""), (b"\n", "")])
def test_a_reply_of_agy_is_its_output_less_the_last_line_end(anti: StandIn, out: bytes, text: str) -> None:
    anti.tell(out)
    assert anti.ask() == Completion(text, "unknown", usage=None, served=None)


def test_a_model_may_speak_of_errors(anti: StandIn) -> None:
    anti.tell(b"Error: you said the sky is green.\nIt is blue.\n")
    assert anti.ask().text.endswith("blue.")


# Failures


@pytest.mark.parametrize(
    ("kind", "text", "status"),
    [
        ("auth", "Not logged in · Please run /login", None),
        ("auth", "Invalid API key · Please run /login", None),
        ("auth", "Failed to authenticate. API Error: 401 OAuth token has expired.", 401),
        ("auth", "Credit balance is too low", None),
        ("rate_limit", "You've hit your weekly limit · resets Tuesday", 429),
        ("rate_limit", "5-hour limit reached", None),
        ("overloaded", "API Error: 529 Overloaded", 529),
        ("overloaded", "API Error: something", 500),
        (
            "config",
            "There's an issue with the selected model (nope). It may not exist or you may not have access.",
            None,
        ),
        ("config", "API Error: not found", 404),
        ("config", "Unknown command: /x", None),
        ("timeout", "API Error: Request timed out.", None),
        ("connection", "API Error: Unable to connect to API (ECONNREFUSED)", None),
        ("error_body", "Prompt is too long", 400),
    ],
)
def test_an_error_result_of_claude_is_a_failure(claude: StandIn, kind: str, text: str, status: int | None) -> None:
    claude.tell(result(text, is_error=True, api_error_status=status, stop_reason="stop_sequence"), code=1)
    failed = claude.failure()
    assert (failed.kind, failed.message) == (kind, f"claude: {text}")
    assert failed.usage == Usage(323, 20, 300, 8, 5)


def test_an_error_without_a_text_is_told_by_its_errors_or_its_subtype(claude: StandIn) -> None:
    without = {key: value for key, value in result().items() if key != "result"}
    claude.tell(without | {"subtype": "error_during_execution", "is_error": True, "errors": ["Overloaded"]})
    assert claude.failure().kind == "overloaded"
    claude.tell(without | {"subtype": "error_max_turns"})
    assert claude.failure().message == 'claude: "error_max_turns"'


def test_a_limit_or_a_login_told_as_a_success_is_a_failure(claude: StandIn) -> None:
    end = int(time.time()) + 3600
    unused = {"input_tokens": 0, "output_tokens": 0}
    claude.tell(result(f"Claude AI usage limit reached|{end}", usage=unused, modelUsage={}))
    failed = claude.failure()
    assert failed.kind == "rate_limit"
    assert failed.retry_after is not None
    assert 3500 < failed.retry_after <= 3600
    claude.tell(result("Not logged in · Please run /login", usage=unused))
    assert claude.failure().kind == "auth"
    claude.tell(result("Claude AI usage limit reached|1"))  # the model said this: it cost tokens
    assert claude.ask().text == "Claude AI usage limit reached|1"


@pytest.mark.parametrize(
    "out",
    [
        *(b"", b"4\n", b"warning\n{}", b"[]", b"{}", b"null", b'"4"', b"[" * 100_000, b'{"type": "result"'),
        json.dumps(result(None)).encode(),
        json.dumps(result(["4"])).encode(),
        json.dumps(result(is_error="false")).encode(),
        json.dumps(result(type="assistant")).encode(),
    ],
)
def test_claude_is_read_strictly(claude: StandIn, out: bytes) -> None:
    claude.tell(out)
    assert claude.failure().kind == "error_body"


def test_a_success_that_ends_with_a_code_is_a_failure(claude: StandIn) -> None:
    claude.tell(result("quota 429 not logged in"), code=3)
    assert claude.failure().kind == "error_body"
    assert "ended with code 3" in claude.failure().message


@pytest.mark.parametrize(
    ("kind", "err"),
    [("config", "error: unknown option '--safe-mode'"), ("auth", "Please run /login"), ("error_body", "Segfault")],
)
def test_claude_without_a_result_is_told_by_its_complaint(claude: StandIn, kind: str, err: str) -> None:
    claude.tell(b"", err=err, code=1)
    failed = claude.failure()
    assert failed.kind == kind
    assert err in failed.message
    assert "code 1" in failed.message


@pytest.mark.parametrize(
    ("kind", "err"),
    [
        ("rate_limit", "Error: RESOURCE_EXHAUSTED (code 429): Individual quota reached. Resets in 71h15m27s."),
        ("rate_limit", "402 You've reached your 5-hour standard usage limit (resets in 3h 21min)"),
        ("auth", "Authentication required. Please visit the URL to log in:"),
        ("auth", "Error: You are not signed in"),
        ("config", 'Error: invalid model selection (--model "x" --effort ""): --model x requires --effort (low)'),
        ("config", "flag needs an argument: -p"),
        ("timeout", "Error: print mode timed out waiting for response"),
        ("connection", "dial tcp: lookup host: no such host"),
        ("overloaded", "Error: 503 Service Unavailable"),
        ("error_body", "panic: runtime error"),
    ],
)
def test_an_exit_code_of_agy_is_a_failure(anti: StandIn, kind: str, err: str) -> None:
    anti.tell(b"ANSWER: 20\n", err=err, code=1)
    failed = anti.failure()
    assert (failed.kind, failed.message) == (kind, f"agy ended with code 1: {err}")


def test_agy_says_when_its_quota_comes_back(anti: StandIn) -> None:
    anti.tell(b"", err="Individual quota reached. Resets in 1h2m3s.", code=1)
    assert anti.failure().retry_after == 3723
    anti.tell(b"", err="Individual quota reached.", code=1)
    assert anti.failure().retry_after is None


def test_agy_may_fail_in_silence_or_by_a_signal(anti: StandIn) -> None:
    anti.tell(b"", code=7)
    assert anti.failure().message == "agy ended with code 7: it gave no reason"
    anti.tell(b"", signal=9)
    assert anti.failure().message == "agy ended with code -9: it gave no reason"


def test_a_failure_of_agy_with_code_0_is_no_reply(anti: StandIn) -> None:
    anti.tell(b"Error: timed out waiting for response\n")
    assert anti.failure().kind == "timeout"
    anti.tell(b"", err='warning: model "x" is not recognized, using "Gemini 3.6 Flash" instead')
    assert anti.failure().kind == "config"


@pytest.mark.parametrize("out", [b"\xff\xfe4", b"\xed\xa0\x80", b"4\x00\n"])
def test_a_reply_that_is_no_text_is_a_failure(either: StandIn, out: bytes) -> None:
    either.tell(out)
    assert either.failure().kind == "invalid_text"


@pytest.mark.parametrize("text", ["4\x00", "\ud800"])
def test_json_can_hide_what_is_no_text(claude: StandIn, text: str) -> None:
    claude.tell(result(text))
    assert claude.failure().kind == "invalid_text"


def test_a_complaint_holds_no_secret(claude: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "tok-of-the-subscription")
    claude.tell(b"", err="refused tok-of-the-subscription and sk-ant-oat01-abcdefghijklmnop \x00\x1b", code=1)
    message = claude.failure().message
    assert "tok-of-the-subscription" not in message
    assert "sk-ant" not in message
    assert message.count("[key]") == 2


def test_a_program_that_cannot_be_started_is_a_failure(either: StandIn) -> None:
    model = either.open()
    (either.folder / either.name).unlink()
    with pytest.raises(CallFailed) as caught:
        asyncio.run(model.complete(ASKED))
    assert caught.value.kind == "config"


# Opening


@pytest.mark.parametrize("route", [agy, claude_cli])
def test_a_program_that_is_not_installed_is_named(
    route: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"runs the program '(agy|claude)', which is not on PATH\. Install "):
        route.open_model("m", {})


def test_another_command_may_be_named(either: StandIn) -> None:
    program = (either.folder / either.name).rename(either.folder / "other")
    either.tell(result() if either.name == "claude" else b"4")
    assert either.ask(command=str(program)).text == "4"
    with pytest.raises(UsageError):
        either.open()


@pytest.mark.parametrize("ident", ["-x", "--model", "a\x00b", "a\nb"])
def test_an_id_is_never_a_flag(either: StandIn, ident: str) -> None:
    with pytest.raises(UsageError, match="begins with no dash"):
        either.open(ident)


def test_the_settings_are_those_of_the_route(either: StandIn) -> None:
    assert either.open().name == f"{'claude-cli' if either.name == 'claude' else 'agy'}:some-model"
    faults: list[dict[str, Any]] = [{"temperature": 0.5}]
    if either.name == "claude":
        assert either.open(settings={"effort": "medium"}).settings == {"effort": "medium"}
        faults += [{"effort": "huge"}, {"max_tokens": 0}, {"max_tokens": True}, {"max_tokens": "4000"}]
    for settings in faults:
        with pytest.raises(UsageError, match="the route"):
            either.open(settings=settings)


# Words


NOON = datetime(2026, 10, 6, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (f"limit reached|{int(NOON.timestamp()) + 90}", 90),
        ("limit reached|1000000000", 0),
        ("Resets in 71h15m27s.", 71 * 3600 + 15 * 60 + 27),
        ("(resets in 3h 21min)", 3 * 3600 + 21 * 60),
        ("resets 4:50pm (America/Denver)", 10 * 3600 + 50 * 60),  # there it is 6:00 in the morning
        ("resets at 3pm", 3 * 3600),
        ("resets 12am (UTC)", 12 * 3600),
        ("resets 11am (UTC)", 23 * 3600),
        ("resets Oct 9, 5pm (UTC)", 3 * 86400 + 5 * 3600),
        ("resets Jan 1, 12pm (UTC)", 87 * 86400),
        *((text, None) for text in ("resets Tuesday", "resets 31pm", "resets 3pm (Nowhere/Land)", "resets Foo 3, 4pm")),
        *(
            (text, None)
            for text in (
                "",
                "resets in some days",
                "resets Feb 30, 4pm",
                "resets 3pm (America)",
                "resets 3pm (../../etc/passwd)",
            )
        ),
    ],
)
def test_when_a_limit_ends(text: str, seconds: float | None) -> None:
    assert seconds_until_reset(text, NOON) == seconds


def test_a_clock_is_read_across_the_change_to_winter_time() -> None:
    before = datetime(2026, 10, 25, 0, 0, tzinfo=UTC)  # 2 in the morning in Vienna; at 3 it is 2 again
    assert seconds_until_reset("resets 4am (Europe/Vienna)", before) == timedelta(hours=3).total_seconds()


def test_words_that_tell_nothing_are_an_error_body() -> None:
    assert kind_of("") == kind_of("something else") == "error_body"
