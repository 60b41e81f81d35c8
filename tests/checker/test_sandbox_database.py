"""The database after its lock: no statement reaches a file, the network, a setting or an extension."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy
import pytest

from checker.engine import Engine

#: {0} is a folder with one file of each kind.  These do something as long as the database is not locked.
POSSIBLE = """\
COPY (SELECT 1) TO '{0}/new.csv'
EXPORT DATABASE '{0}/new'
ATTACH '{0}/new.db'
ATTACH '{0}/a.db' (READ_ONLY)
FROM '{0}/a.csv'
SELECT * FROM "{0}/a.csv"
FROM read_csv('{0}/a.csv')
FROM sniff_csv('{0}/a.csv')
FROM read_json('{0}/a.json')
FROM read_ndjson('{0}/a.json')
FROM read_text('{0}/a.csv')
FROM read_blob('{0}/a.csv')
FROM read_parquet('{0}/a.parquet')
FROM parquet_metadata('{0}/a.parquet')
FROM parquet_schema('{0}/a.parquet')
FROM glob('{0}/*')
FROM glob('/*')
FROM query('FROM read_text(''{0}/a.csv'')')
FROM query_table('{0}/a.csv')
CREATE TABLE stolen AS FROM read_text('{0}/a.csv')
CREATE MACRO stolen() AS TABLE FROM read_text('{0}/a.csv')
PREPARE stolen AS FROM read_text('{0}/a.csv')
SET temp_directory = '{0}'
SET home_directory = '{0}'
SET secret_directory = '{0}'
SET extension_directory = '{0}'
SET custom_extension_repository = 'http://127.0.0.1'
SET log_query_path = '{0}/new.log'
SET memory_limit = '100GB'
SET threads = 64
SET python_enable_replacements = true
SET TimeZone = 'America/New_York'
RESET lock_configuration
PRAGMA enable_profiling = 'json'
CALL enable_logging(storage = 'file', storage_path = '{0}/logs')
FROM duckdb_secrets()
FROM duckdb_extensions()
FROM outer_variable""".splitlines()
#: And these would need the network, an extension that is not there, another database, or the right stderr.
NEVER = """\
COPY (SELECT 1) TO '/dev/stderr'
SET enable_external_access = true
SET GLOBAL enable_external_access = true
RESET enable_external_access
SET lock_configuration = false
SET allow_unsigned_extensions = true
SET allow_community_extensions = true
SET autoload_known_extensions = true
SET disabled_filesystems = ''
INSTALL httpfs
FORCE INSTALL httpfs
INSTALL h3 FROM community
INSTALL '{0}/a.csv'
LOAD httpfs
LOAD '{0}/a.duckdb_extension'
UPDATE EXTENSIONS
FROM read_text('https://192.0.2.1/')
FROM read_parquet('s3://bucket/key')
FROM 'https://192.0.2.1/a.csv'
ATTACH 'https://192.0.2.1/a.db'
ATTACH '/etc/passwd' AS other (TYPE sqlite)
CREATE SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')
CREATE PERSISTENT SECRET (TYPE http, BEARER_TOKEN 'a')
IMPORT DATABASE '{0}'
SELECT getenv('COUNTERSIGN_TEST_SECRET')
COPY (SELECT 1) TO PROGRAM 'id'
.read {0}/a.sql
.shell id
.open {0}/a.db""".splitlines()
outer_variable = numpy.array([1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("files")
    (place / "a.csv").write_text("secret\nhunter2\n")
    (place / "a.json").write_text('{"secret": "hunter2"}')
    (place / "a.sql").write_text("SELECT 1;")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 1 AS secret) TO '{place}/a.parquet' (FORMAT parquet)")
        connection.execute(f"ATTACH '{place}/a.db'")
    yield place
    assert {path.name for path in place.iterdir()} == {"a.csv", "a.json", "a.sql", "a.parquet", "a.db"}


@pytest.fixture(scope="module")
def locked() -> Iterator[Engine]:
    engine = Engine()
    engine.lock()
    yield engine
    engine.connection.close()


@pytest.mark.parametrize("statement", POSSIBLE + NEVER)
def test_a_locked_database_reaches_nothing(statement: str, locked: Engine, folder: Path) -> None:
    with pytest.raises(duckdb.Error) as refused:
        locked.connection.execute(statement.format(folder))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("statement", POSSIBLE)
def test_what_the_lock_refuses_is_possible_without_it(statement: str, folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with duckdb.connect() as connection:
        connection.execute(statement.format(tmp_path))


def test_extensions_stay_away_before_the_lock() -> None:
    """While logs are read the database has files, but fetches and loads nothing by itself."""
    engine = Engine()
    settings = dict(engine.rows("SELECT name, value FROM duckdb_settings()"))
    off = ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions",
           "allow_unsigned_extensions", "python_enable_replacements")  # fmt: skip
    assert {name: settings[name] for name in off} == dict.fromkeys(off, "false") and settings["temp_directory"] == ""
