"""croissant.json: a version as a data set in MLCommons' Croissant 1.0, so that dataset search finds it."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
from markupsafe import Markup

from leaderboard import urls
from leaderboard.cite.facts import AUTHORS, cited
from leaderboard.cite.styles import STYLES
from leaderboard.kit import File
from leaderboard.shapes import Version
from leaderboard.show import json_text

LICENCE = "https://www.apache.org/licenses/LICENSE-2.0"
CONTEXT = {
    "@language": "en", "equivalentProperty": "cr:equivalentProperty", "samplingRate": "cr:samplingRate",
    "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
    "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty", "fileSet": "cr:fileSet", "format": "cr:format",
    "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
    "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
    "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
_FORMATS = {
    ".csv": "text/csv", ".json": "application/json", ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
}  # fmt: skip
_TYPES = {pl.Int64: "sc:Integer", pl.Float64: "sc:Float", pl.Boolean: "sc:Boolean", pl.String: "sc:Text"}


def croissant_file(version: Version, site: str) -> Iterator[File]:
    """Yield the file of a version that is published with a verdict; `site` is the URL of the first page."""
    if {"MANIFEST.json", "crosscheck.json", "leaderboard.parquet"} <= version.tables.keys():
        yield urls.croissant(version.benchmark, version.name), json_text(document(version, site)).encode()


def in_page(version: Version, site: str) -> Markup:
    """Give the short form that search engines read in the page itself: schema.org's Dataset, as a block of data."""
    if not site or not {"MANIFEST.json", "crosscheck.json", "leaderboard.parquet"} <= version.tables.keys():
        return Markup()
    whole = document(version, site)
    keys = ("name", "alternateName", "description", "url", "identifier", "license", "datePublished", "keywords")
    says = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        **{key: whole[key] for key in keys},
        "creator": {"@type": "Organization", "name": AUTHORS},
        "version": version.name,
        "isAccessibleForFree": True,
        "distribution": [
            {"@type": "DataDownload", "contentUrl": one["contentUrl"], "encodingFormat": one["encodingFormat"]}
            for one in whole["distribution"]
            if one["name"].startswith("leaderboard.")
        ],
    }
    # Within JSON a < can be written otherwise, so nothing in it can end the block.
    return Markup(json.dumps(says, ensure_ascii=False).replace("<", "\\u003c"))


def document(version: Version, site: str) -> dict[str, Any]:
    """Describe the version: what it is, its tables and logs with their digests, and the columns of its leaderboard.

    While the site has no address, files are named from the folder of the document.
    """
    b, v = version.benchmark, version.name
    base = urls.version(b, v)
    what = cited(version.tables["MANIFEST.json"].parents[3], b, v, site)
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{b}-{v}",
        "alternateName": version.title,
        "description": f"{version.summary} {what.remarks}.".strip(),
        **({"url": what.url} if what.url else {}),
        "identifier": f"sha256:{what.root}",
        "license": LICENCE,
        "creator": {"@type": "sc:Organization", "name": AUTHORS},
        "publisher": {"@type": "sc:Organization", "name": AUTHORS},
        "datePublished": what.date,
        # Croissant wants MAJOR.MINOR.PATCH; a version's rules change with its number alone.
        "version": f"{next(iter(re.findall('[0-9]+', v)), '0')}.0.0",
        "isLiveDataset": not what.is_frozen,
        "citeAs": STYLES["bibtex"].write(what),
        "keywords": ["benchmark", "large language models", "leaderboard", version.about.title],
        "distribution": [
            *(_file(name, path, _url(urls.data(b, v, name), site, base)) for name, path in version.tables.items()),
            *(
                _file(
                    f"logs/{log.path.parent.name}/{log.path.name}",
                    log.path,
                    _url(urls.log(b, v, log.path.parent.name, log.path.stem), site, base),
                )
                for log in version.logs
            ),
        ],
        "recordSet": [_leaderboard(version)],
    }


def _url(address: str, site: str, base: str) -> str:
    return f"{site}{address}" if site else address.removeprefix(base)


def _file(name: str, path: Path, url: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": url,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _FORMATS[path.suffix],
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def _leaderboard(version: Version) -> dict[str, Any]:
    """The rows of leaderboard.csv, with the types that leaderboard.parquet has."""
    columns = pl.read_parquet_schema(version.tables["leaderboard.parquet"])
    return {
        "@type": "cr:RecordSet",
        "@id": "leaderboard",
        "name": "leaderboard",
        "description": "One row a model; an empty value is no value, never 0.",
        "key": {"@id": "leaderboard/model"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"leaderboard/{name}",
                "name": name,
                "dataType": _TYPES[type(kind)] if not isinstance(kind, type) else _TYPES[kind],
                "source": {"fileObject": {"@id": "leaderboard.csv"}, "extract": {"column": name}},
            }
            for name, kind in columns.items()
        ],
    }
