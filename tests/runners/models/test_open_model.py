"""The one door to a model: names, options, and what it says when a package is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from runners.errors import UsageError
from runners.models import ROUTES, open_model, split_name


@pytest.mark.parametrize("name", ["scripted:steadfast", "compatible:meta/llama-3:free", "local:folder/a file.gguf"])
def test_a_name_is_its_route_and_the_rest(name: str) -> None:
    assert ":".join(split_name(name)) == name


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("steadfast", r"no route 'steadfast'.*scripted:, compatible:, local:"),
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


@pytest.mark.parametrize(("package", "name"), [("openai", "compatible:m"), ("xllamacpp", "local:smollm2-135m")])
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


def test_scripted_models_load_no_sdk() -> None:
    code = "import sys; from runners.models import open_model; open_model('scripted:mute', {}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"openai", "httpx2", "xllamacpp", "pydantic"} & set(done.stdout.split())
