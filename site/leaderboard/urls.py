"""Every address of the site, relative to its root; a folder's address ends in a slash."""

from leaderboard.slugs import slug


def page_file(address: str) -> str:
    """Give the file that serves an address."""
    return f"{address}index.html"


def spec(address: str, chart: str) -> str:
    """Give the file of a chart of the page at an address, where assets/explore.js looks for it."""
    return f"{address}{chart}.json"


def board(benchmark: str) -> str:
    return f"{benchmark}/"


def board_file(benchmark: str, kind: str) -> str:
    return f"{benchmark}/board.{kind}"


def everywhere(model_name: str) -> str:
    return f"models/{slug(model_name)}/"


def all_models() -> str:
    # No slug is "all": each ends in eight hexadecimal digits.
    return "models/all/"


def all_data() -> str:
    return "data/"


def version(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/"


def model(benchmark: str, name: str, model_name: str) -> str:
    return f"{benchmark}/{name}/models/{slug(model_name)}/"


def fact(benchmark: str, name: str, fact_id: str) -> str:
    # Fact ids come from a frozen spec, but a URL is not the place to trust one.
    safe = fact_id if fact_id.replace("-", "").isalnum() and fact_id.isascii() and fact_id.islower() else slug(fact_id)
    return f"{benchmark}/{name}/facts/{safe}/"


def methodology(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/methodology/"


def check(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/check/"


def audit(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/audit/"


def changes(benchmark: str, old: str, new: str) -> str:
    return f"{benchmark}/{new}/changes-since-{old}/"


def numbers(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/numbers/"


def sql(benchmark: str, name: str, file: str) -> str:
    # .txt, so that every host serves it as text and every browser shows it.
    return f"{benchmark}/{name}/checker/{file}.txt"


def data(benchmark: str, name: str, file: str) -> str:
    return f"{benchmark}/{name}/data/{file}"


def citation(benchmark: str, name: str, ending: str) -> str:
    """Give the file of a version's citation in one format."""
    return f"{benchmark}/{name}/cite.{ending}"


def croissant(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/croissant.json"


def log(benchmark: str, name: str, folder: str, run_id: str) -> str:
    return f"{benchmark}/{name}/logs/{folder}/{run_id}.jsonl"


def run(benchmark: str, name: str, run_id: str, defender: str) -> str:
    return f"{benchmark}/{name}/transcripts/{run_id}/{slug(defender)}/"


def duel(benchmark: str, name: str, run_id: str, defender: str, number: str) -> str:
    return f"{run(benchmark, name, run_id, defender)}{number}/"


def game(benchmark: str, name: str, folder: str, run_id: str) -> str:
    return f"{benchmark}/{name}/games/{folder}/{run_id}/"


def seeds(benchmark: str, name: str) -> str:
    return f"{benchmark}/{name}/seeds/"


def badge(benchmark: str, version: str, model: str) -> str:
    """Give the address of a row's badge, a JSON file."""
    return f"badges/{benchmark}/{version}/{slug(model)}.json"
