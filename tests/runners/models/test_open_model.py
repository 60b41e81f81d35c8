"""The one door to a model: names, options, and what it says when a package is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from runners.errors import UsageError
from runners.models import ROUTES, open_model, split_name

NEEDS = {"anthropic": {"anthropic", "httpx2"}, "boto3": {"boto3", "botocore"}}


@pytest.mark.parametrize("name", ["scripted:steadfast", "compatible:meta/llama-3:free", "local:folder/a file.gguf"])
def test_a_name_is_its_route_and_the_rest(name: str) -> None:
    assert ":".join(split_name(name)) == name


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("steadfast", r"no route 'steadfast'.*openai:, anthropic:, bedrock:.*local:, scripted:"),
        ("", r"no route ''"),
        ("telepathy:x", r"no route 'telepathy'"),
        ("Scripted:steadfast", r"no route 'Scripted'"),
        ("scripted:", r"id after scripted: is empty"),
        ("scripted: steadfast", r"spaces around it"),
        ("imported:gemma2", r"an imported model cannot be played"),
    ],
)
def test_other_names_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        open_model(name, {})


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no option colour; it has base_url, api_key, timeout"):
        open_model("compatible:m", {}, colour="red")


def test_a_model_keeps_its_name_and_settings() -> None:
    model = open_model("scripted:null", {"temperature": 0.5})
    assert (model.name, dict(model.settings)) == ("scripted:null", {"temperature": 0.5})


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("openai", "openai:m"), ("aiohttp", "nous:m"), ("aiohttp", "openrouter:m"), ("aiohttp", "ollama:m"),
        ("aiohttp", "compatible:m"), ("anthropic", "anthropic:m"), ("boto3", "bedrock:m"),
        ("xllamacpp", "local:smollm2-135m"),
    ],
)  # fmt: skip
def test_a_missing_package_names_the_extra(package: str, name: str) -> None:
    """In a Python that cannot find the package: the finder below stands in for its absence."""
    extra = ROUTES[name.partition(":")[0]].extra
    code = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from runners.errors import MissingExtra
from runners.models import open_model
open_model("scripted:steadfast", {{}})
try:
    open_model({name!r}, {{}})
except MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"needs the package {package!r}. Install it with: pip install 'countersign[{extra}]'" in done.stdout, done


def test_every_route_says_what_it_costs_and_where_its_keys_are() -> None:
    billed = {name for name, route in ROUTES.items() if route.billed}
    assert billed == {"openai", "anthropic", "bedrock", "nous", "openrouter", "compatible"}
    assert {name for name, route in ROUTES.items() if route.keys} == billed
    assert ROUTES["openai"].keys == ("OPENAI_API_KEY",)


@pytest.mark.parametrize("name", ["anthropic:m", "bedrock:m"])
def test_an_extra_is_enough_for_its_route(name: str) -> None:
    """No route needs the SDK of another."""
    own = {"anthropic:m": "anthropic", "bedrock:m": "boto3"}[name]
    code = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package in {{"openai", "anthropic", "boto3", "botocore", "httpx2", "xllamacpp"}} - {NEEDS[own]!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from runners.models import open_model
print(open_model({name!r}, {{"max_tokens": 1}}).name)
"""
    environment = {**os.environ, "ANTHROPIC_API_KEY": "x", "AWS_EC2_METADATA_DISABLED": "true"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout == f"{name}\n", done.stderr


def test_scripted_models_load_no_sdk() -> None:
    code = "import sys; from runners.models import open_model; open_model('scripted:mute', {}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"openai", "httpx2", "xllamacpp", "pydantic"} & set(done.stdout.split())
