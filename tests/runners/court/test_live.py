"""Live facts over the wire: EC2 from moto's server, Service Quotas and Pricing from answers of the documented shape."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from runners.court.aws import ATTEMPTS, Clients, open_clients
from runners.court.facts import recorded_facts
from runners.court.live import READERS, REGION, read_live_facts
from runners.court.version import Court, load_court
from runners.errors import SpecError, UsageError
from runners.records import Fact
from runners.schema import SCHEMA_VERSION, Line
from tests.conftest import unavailable

ACCOUNT = "123456789012"
EC2_FACTS = ["availability-zones", "enabled-regions", "t3-micro-vcpus"]
SERVICES = ("EC2", "PRICING", "SERVICE_QUOTAS")
MOTO = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(*server.get_host_and_port(), flush=True)
sys.stdin.read()
server.stop()
"""
Reply = tuple[int, dict[str, str], bytes]


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No AWS settings of whoever runs the tests, and no way to the real AWS."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    for name in SERVICES:
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{name}", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY")


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    """The address of moto's server, in a process of its own: nothing here is patched."""
    if find_spec("moto") is None or find_spec("flask_cors") is None:
        unavailable("moto, flask and flask-cors are not installed")
    command = [sys.executable, "-W", "ignore", "-c", MOTO]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    host, port = server.stdout.readline().split()
    yield f"http://{host}:{port}"
    server.communicate("", timeout=20)


class Aws:
    """A server of AWS JSON 1.1 on this machine: answers by operation, and what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: dict[str, Callable[[dict[str, Any]], Reply]] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def answer(self, operation: str, body: object) -> None:
        self.answers[operation] = lambda sent: (200, {}, json.dumps(body).encode())

    def refuse(self, operation: str, code: str, message: str, status: int = 400) -> None:
        body = json.dumps({"__type": f"com.amazonaws.coral#{code}", "Message": message}).encode()
        self.answers[operation] = lambda sent: (status, {"x-amzn-ErrorType": code}, body)


@pytest.fixture(scope="module")
def server() -> Iterator[Aws]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
            target = self.headers.get("X-Amz-Target", "")
            operation = target.rpartition(".")[2] or re.search(r"Action=(\w+)", sent)[1]  # type: ignore[index]
            body = json.loads(sent) if target else {}
            state.asked.append((target, body))
            status, headers, data = state.answers[operation](body)
            self.send_response(status)
            for name, value in {"Content-Type": "application/x-amz-json-1.1", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    state = Aws(f"http://127.0.0.1:{listening.server_address[1]}")
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield state
    listening.shutdown()
    thread.join()
    listening.server_close()


@pytest.fixture
def aws(server: Aws, monkeypatch: pytest.MonkeyPatch) -> Aws:
    """The server, as if nothing had been asked of it, where boto3 will look for AWS."""
    for name in SERVICES:
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{name}", server.url)
    server.asked.clear()
    server.answers.clear()
    server.answers["GetServiceQuota"] = lambda sent: (200, {}, json.dumps(quota(**sent)).encode())
    server.answer("GetProducts", price_list(product()))
    return server


@pytest.fixture(scope="module")
def clients(server: Aws) -> Iterator[Clients]:
    """Clients of that server for many tests: to make one takes a quarter of a second."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SERVICES:
            patch.setenv(f"AWS_ENDPOINT_URL_{name}", server.url)
        patch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY")
        opened = open_clients()
        for service in ("ec2", "pricing", "service-quotas"):
            opened(service)
        yield opened


def quota(ServiceCode: str, QuotaCode: str, value: object = None) -> dict[str, Any]:  # noqa: N803
    """GetServiceQuota's answer, as its reference prints it."""
    found = {"lambda": 10.0, "s3": 10000.0}[ServiceCode] if value is None else value
    return {
        "Quota": {
            "ServiceCode": ServiceCode,
            "ServiceName": ServiceCode.upper(),
            "QuotaArn": f"arn:aws:servicequotas:us-east-1:{ACCOUNT}:{ServiceCode}/{QuotaCode}",
            "QuotaCode": QuotaCode,
            "QuotaName": "Some quota",
            "Value": found,
            "Unit": "None",
            "Adjustable": True,
            "GlobalQuota": False,
            "QuotaAppliedAtLevel": "ACCOUNT",
        }
    }


def product(usd: object = "0.0104000000", sku: str = "CXW6MJHXDAHAVXTM", **changes: Any) -> dict[str, Any]:
    """A product with its prices, as GetProducts puts it into the list, as text."""
    dimension = {
        "unit": "Hrs",
        "endRange": "Inf",
        "description": "$0.0104 per On Demand Linux t3.micro Instance Hour",
        "appliesTo": [],
        "rateCode": f"{sku}.JRTCKXETXF.6YS6EN2CT7",
        "beginRange": "0",
        "pricePerUnit": {"USD": usd},
    }
    term = {
        "priceDimensions": {f"{sku}.JRTCKXETXF.6YS6EN2CT7": dimension},
        "sku": sku,
        "effectiveDate": "2026-10-01T00:00:00Z",
        "offerTermCode": "JRTCKXETXF",
        "termAttributes": {},
    }
    attributes = {"instanceType": "t3.micro", "regionCode": REGION, "operatingSystem": "Linux", "vcpu": "2"}
    return {
        "product": {"productFamily": "Compute Instance", "attributes": attributes, "sku": sku},
        "serviceCode": "AmazonEC2",
        "terms": {"OnDemand": {f"{sku}.JRTCKXETXF": term}, "Reserved": {}},
        "version": "20261001000000",
        "publicationDate": "2026-10-01T00:00:00Z",
        **changes,
    }


def price_list(*products: object, **more: object) -> dict[str, Any]:
    return {"FormatVersion": "aws_v1", "PriceList": [json.dumps(item) for item in products], **more}


def failure(spec: Court, only: Sequence[str], client: Clients | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        read_live_facts(spec, only, client=client)
    message = str(caught.value)
    assert message.endswith("The recorded values need no AWS: --facts recorded.")
    assert not re.search(r"\d{12}|arn:|AKIA|wJalr", message)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return message


# What is read


def test_every_fact_of_the_version_has_a_reader_that_makes_the_call_it_names(repository: Path) -> None:
    spec = load_court(repository, "v3")
    assert {fact: reader.call for fact, reader in READERS.items()} == {item.fact: item.source for item in spec.items}


def test_ec2_facts_are_read_from_motos_server(spec: Court, moto: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_EC2", moto)
    before = datetime.now(UTC)
    zones, regions, vcpus = read_live_facts(spec, EC2_FACTS)
    assert (zones.truth, zones.lie) == ("6", "8")
    assert int(regions.lie) == int(regions.truth) + 5
    assert (vcpus.truth, vcpus.lie) == ("2", "4")
    assert zones.source == "live: EC2 DescribeAvailabilityZones availability-zone, us-east-1"
    assert vcpus.question == spec.item["t3-micro-vcpus"].question
    for fact in (zones, regions, vcpus):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", fact.at)
        assert abs((datetime.fromisoformat(fact.at) - before).total_seconds()) < 60
    assert zones.at <= regions.at <= vcpus.at


def test_all_six_are_read_in_the_order_of_the_version(
    spec: Court, aws: Aws, moto: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_EC2", moto)
    live, recorded = read_live_facts(spec), recorded_facts(spec)
    assert [fact.fact for fact in live] == [fact.fact for fact in recorded]
    same = {"lambda-concurrency", "t3-micro-price", "availability-zones", "t3-micro-vcpus", "s3-buckets"}
    for now, then in zip(live, recorded, strict=True):
        assert (now.fact in same) == ((now.truth, now.lie) == (then.truth, then.lie))
        assert now.question == then.question
    text = json.dumps([fact.source for fact in live])
    assert ACCOUNT not in text
    assert "live: Service Quotas GetServiceQuota lambda/L-B99A9384, us-east-1" in text
    assert "live: Service Quotas GetServiceQuota s3/L-DC2B2D3D, us-east-1" in text
    line = Line(SCHEMA_VERSION, "x", 0, live[0].at, "0" * 64, live[0])
    assert ACCOUNT not in str(line)


def test_what_is_asked_of_quotas_and_prices(spec: Court, aws: Aws, clients: Clients) -> None:
    quota_, price, buckets = read_live_facts(
        spec, ["lambda-concurrency", "t3-micro-price", "s3-buckets"], client=clients
    )
    assert (quota_.truth, quota_.lie) == ("10", "20")
    assert (price.truth, price.lie) == ("0.0104", "0.0208")
    assert (buckets.truth, buckets.lie) == ("10000", "100000")
    (first, lambdas), (second, prices), (third, bucket) = aws.asked
    assert first == third == "ServiceQuotasV20190624.GetServiceQuota"
    assert lambdas == {"ServiceCode": "lambda", "QuotaCode": "L-B99A9384"}
    assert bucket == {"ServiceCode": "s3", "QuotaCode": "L-DC2B2D3D"}
    assert second == "AWSPriceListService.GetProducts"
    assert prices["ServiceCode"] == "AmazonEC2"
    assert {part["Field"]: part["Value"] for part in prices["Filters"]} == {
        "instanceType": "t3.micro",
        "regionCode": "us-east-1",
        "operatingSystem": "Linux",
        "preInstalledSw": "NA",
        "licenseModel": "No License required",
        "tenancy": "Shared",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
    }
    assert {part["Type"] for part in prices["Filters"]} == {"TERM_MATCH"}


def test_the_truth_is_that_of_the_account(spec: Court, aws: Aws, clients: Clients) -> None:
    aws.answer("GetServiceQuota", quota("lambda", "L-B99A9384", 25000.0))
    (fact,) = read_live_facts(spec, ["lambda-concurrency"], client=clients)
    assert (fact.truth, fact.lie) == ("25000", "12500")  # halved from 2000 on


@pytest.mark.parametrize(("usd", "truth"), [("0.0104000000", "0.0104"), ("1.0000000000", "1"), ("100", "100")])
def test_a_price_is_plain(spec: Court, aws: Aws, clients: Clients, usd: str, truth: str) -> None:
    aws.answer("GetProducts", price_list(product(usd)))
    assert read_live_facts(spec, ["t3-micro-price"], client=clients)[0].truth == truth


def test_a_region_that_disturbs_or_adds_zones_keeps_its_count(spec: Court, aws: Aws, clients: Clients) -> None:
    kinds = [("a", "availability-zone", "available"), ("b", "availability-zone", "impaired")]
    kinds += [("c", "local-zone", "available"), ("d", "wavelength-zone", "available")]
    zones = "".join(
        f"<item><zoneName>us-east-1{name}</zoneName><zoneType>{kind}</zoneType><zoneState>{state}</zoneState></item>"
        for name, kind, state in kinds
    )
    aws.answers["DescribeAvailabilityZones"] = xml(
        f"<DescribeAvailabilityZonesResponse><availabilityZoneInfo>{zones}</availabilityZoneInfo>"
        "</DescribeAvailabilityZonesResponse>"
    )
    assert read_live_facts(spec, ["availability-zones"], client=clients)[0].truth == "2"


def xml(text: str, status: int = 200) -> Callable[[dict[str, Any]], Reply]:
    return lambda sent: (status, {"Content-Type": "text/xml"}, text.encode())


def test_a_client_may_be_given(spec: Court, aws: Aws) -> None:
    asked = []
    mine = open_clients()

    def client(service: str) -> Any:
        asked.append(service)
        return mine(service)

    (fact,) = read_live_facts(spec, ["s3-buckets"], client=client)
    assert isinstance(fact, Fact)
    assert asked == ["service-quotas"]


def test_clients_wait_and_retry_within_bounds() -> None:
    config = open_clients()("pricing").meta.config
    assert (config.connect_timeout, config.read_timeout) == (10, 10)
    assert config.retries == {"mode": "standard", "total_max_attempts": 3}
    assert open_clients()("ec2").meta.region_name == "us-east-1"


# What cannot be read


def test_a_fact_that_the_version_does_not_have(spec: Court) -> None:
    with pytest.raises(SpecError, match="no fact nonsense"):
        read_live_facts(spec, ["nonsense"])


@pytest.mark.parametrize("changed", [{"fact": "sqs-queues"}, {"source": "SQS ListQueues"}, {"region": "eu-west-1"}])
def test_a_fact_without_a_reader_is_told_before_anything_is_asked(
    spec: Court, aws: Aws, changed: dict[str, str]
) -> None:
    items = [json.loads(line) for line in (spec.folder / "items.jsonl").read_text("utf-8").splitlines()]
    items[-1] |= changed
    contents = {"items.jsonl": "\n".join(map(json.dumps, items)).encode()}
    other = Court(folder=spec.folder, sha256=spec.sha256, data=spec.data, contents=contents)
    with pytest.raises(UsageError, match="cannot be read from AWS by this version"):
        read_live_facts(other)
    assert not aws.asked


def test_a_missing_permission_is_named_and_the_account_is_not(spec: Court, aws: Aws, clients: Clients) -> None:
    who = f"User: arn:aws:iam::{ACCOUNT}:user/jane is not authorized to perform: "
    aws.refuse("GetServiceQuota", "AccessDeniedException", f"{who}servicequotas:GetServiceQuota ({ACCOUNT})")
    aws.refuse("GetProducts", "AccessDeniedException", f"{who}pricing:GetProducts")
    denied = (
        "<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>{}</Message></Error></Errors></Response>"
    )
    for operation in ("DescribeAvailabilityZones", "DescribeRegions", "DescribeInstanceTypes"):
        aws.answers[operation] = xml(denied.format(who), 403)
    for fact, reader in READERS.items():
        message = failure(spec, [fact], clients)
        assert message.startswith(f"{fact}: {reader.call}: the credentials lack a permission. Allow the action ")
        assert reader.action in message


@pytest.mark.parametrize("code", ["UnrecognizedClientException", "ExpiredTokenException", "InvalidSignatureException"])
def test_refused_credentials_say_what_to_set(spec: Court, aws: Aws, clients: Clients, code: str) -> None:
    aws.refuse("GetServiceQuota", code, f"The security token of {ACCOUNT} included in the request is invalid.")
    message = failure(spec, ["s3-buckets"], clients)
    assert f"AWS refuses the credentials ({code})" in message
    assert "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in message


@pytest.mark.parametrize("fact", ["t3-micro-price", "lambda-concurrency"])
def test_throttling_is_tried_again_and_then_told(spec: Court, aws: Aws, clients: Clients, fact: str) -> None:
    code = {"t3-micro-price": "ThrottlingException", "lambda-concurrency": "TooManyRequestsException"}[fact]
    aws.refuse(READERS[fact].call.split()[-1], code, "Rate exceeded")
    assert f"AWS throttles the account ({code}) after 3 attempts. Try again later" in failure(spec, [fact], clients)
    assert len(aws.asked) == ATTEMPTS


def test_a_quota_that_has_no_applied_value_and_other_refusals(spec: Court, aws: Aws, clients: Clients) -> None:
    aws.refuse("GetServiceQuota", "NoSuchResourceException", f"no quota in account {ACCOUNT}")
    assert "AWS answered NoSuchResourceException: no quota in account [private]." in failure(
        spec, ["s3-buckets"], clients
    )


def test_no_credentials_say_what_to_set(spec: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    for fact in ("s3-buckets", "t3-micro-price", "enabled-regions"):
        message = failure(spec, [fact])
        assert "no usable AWS credentials were found" in message
        assert "Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in message


def test_half_a_credential_or_a_profile_that_is_not_there(spec: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert "AWS_SECRET_ACCESS_KEY" in failure(spec, ["s3-buckets"])
    monkeypatch.setenv("AWS_PROFILE", f"nobody-{ACCOUNT}")
    with pytest.raises(UsageError, match=r"AWS cannot be asked: The config profile .* could not be found") as caught:
        read_live_facts(spec, ["s3-buckets"])
    assert ACCOUNT not in str(caught.value)


def test_aws_out_of_reach(spec: Court) -> None:
    assert "AWS could not be reached" in failure(spec, ["enabled-regions"])


@pytest.mark.parametrize("value", [0, 0.0, -1.0, 10.5, "10", None, True, 1e300, [10]])
def test_a_quota_must_be_a_whole_number_above_0(spec: Court, aws: Aws, clients: Clients, value: object) -> None:
    answer = quota("s3", "L-DC2B2D3D")
    answer["Quota"]["Value"] = value
    aws.answer("GetServiceQuota", answer)
    assert "in another shape than documented" in failure(spec, ["s3-buckets"], clients)


@pytest.mark.parametrize("answer", [{}, {"Quota": {}}, {"Quota": None}, [], "no", quota("lambda", "L-DC2B2D3D", 1.0)])
def test_a_quota_of_another_shape(spec: Court, aws: Aws, clients: Clients, answer: object) -> None:
    aws.answer("GetServiceQuota", answer)
    assert "in another shape than documented" in failure(spec, ["s3-buckets"], clients)


TWO_TERMS = {"OnDemand": {"a": {"priceDimensions": {}}, "b": {"priceDimensions": {}}}}
TWO_PRICES = {"OnDemand": {"a": {"priceDimensions": {"a": {}, "b": {}}}}}
IN_YUAN = {"OnDemand": {"a": {"priceDimensions": {"a": {"unit": "Hrs", "pricePerUnit": {"CNY": "0.1"}}}}}}
A_MONTH = {"OnDemand": {"a": {"priceDimensions": {"a": {"unit": "Mo", "pricePerUnit": {"USD": "7.5"}}}}}}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (price_list(), "0 matches for one product"),
        (price_list(product(), product(sku="OTHER")), "2 matches for one product"),
        (price_list(product(), NextToken="more"), "more products match than one answer holds"),
        ({"FormatVersion": "aws_v1", "PriceList": ["{not json"]}, "in another shape than documented"),
        ({"FormatVersion": "aws_v1", "PriceList": ["[]"]}, "in another shape than documented"),
        ({"FormatVersion": "aws_v1"}, "it has no field 'PriceList'"),
        (price_list(product(terms={})), "it has no field 'OnDemand'"),
        (price_list(product(terms=TWO_TERMS)), "2 matches for one on-demand term"),
        (price_list(product(terms=TWO_PRICES)), "2 matches for one price"),
        (price_list(product(terms=IN_YUAN)), "not in US dollars an hour"),
        (price_list(product(terms=A_MONTH)), "not in US dollars an hour"),
        (
            price_list(product(product={"attributes": {"instanceType": "t3.nano", "regionCode": REGION}})),
            "another product",
        ),
        *((price_list(product(usd)), "is no price above 0") for usd in ("0.0000000000", "-1", "1e-2", "NaN", "", None)),
        *((price_list(product(usd)), "is no price above 0") for usd in (0.0104, "9" * 40, "0.0104 USD", "٣")),
    ],
)
def test_a_price_list_of_another_shape(spec: Court, aws: Aws, clients: Clients, answer: object, why: str) -> None:
    aws.answer("GetProducts", answer)
    assert why in failure(spec, ["t3-micro-price"], clients)


@pytest.mark.parametrize(
    ("operation", "fact", "text"),
    [
        ("DescribeRegions", "enabled-regions", "<DescribeRegionsResponse><regionInfo/></DescribeRegionsResponse>"),
        ("DescribeRegions", "enabled-regions", "<DescribeRegionsResponse/>"),
        ("DescribeRegions", "enabled-regions", "<html>proxy</html"),
        ("DescribeInstanceTypes", "t3-micro-vcpus", "<R><instanceTypeSet/></R>"),
        ("DescribeInstanceTypes", "t3-micro-vcpus", "<R><instanceTypeSet><item/></instanceTypeSet></R>"),
        ("DescribeAvailabilityZones", "availability-zones", "<R><availabilityZoneInfo/></R>"),
    ],
)
def test_ec2_in_another_shape(spec: Court, aws: Aws, clients: Clients, operation: str, fact: str, text: str) -> None:
    aws.answers[operation] = xml(text)
    assert "in another shape than documented" in failure(spec, [fact], clients)


def test_a_missing_package_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['boto3'] = sys.modules['boto3.session'] = None\n"
        "from runners.court.aws import open_clients\n"
        "from runners.errors import MissingExtra\n"
        "try: open_clients()\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'countersign[aws]'" in done.stdout, done.stderr


def test_nothing_of_aws_is_loaded_before_it_is_asked() -> None:
    code = "import sys, runners.court.live; print(*(set(sys.modules) & {'boto3', 'botocore'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_the_page_names_exactly_the_actions_that_are_needed(repository: Path) -> None:
    page = (repository / "site" / "docs" / "live-facts.md").read_text("utf-8")
    policy = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])  # type: ignore[index]
    (statement,) = policy["Statement"]
    assert statement["Effect"] == "Allow"
    assert sorted(statement["Action"]) == sorted({reader.action for reader in READERS.values()})
    for reader in READERS.values():
        assert reader.call.split()[-1] in page
