"""The disputed facts with truths that AWS gives now, by read-only calls in us-east-1."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import TypeVar

from runners.court.aws import OTHERWISE, REGION, Clients, ask, open_clients
from runners.court.facts import lie_of, recorded_facts
from runners.court.version import Court, Item
from runners.errors import UsageError
from runners.log import utc_now
from runners.records import Fact

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reader:
    """How one truth is read: the call as items.jsonl names it, the IAM action it needs, what is asked of the call."""

    call: str
    action: str
    what: str
    read: Callable[[Clients], str]


def _quota(service: str, code: str) -> Reader:
    """A quota of the account, as it is applied."""

    def read(client: Clients) -> str:
        quota = client("service-quotas").get_service_quota(ServiceCode=service, QuotaCode=code)["Quota"]
        if (quota["ServiceCode"], quota["QuotaCode"]) != (service, code):
            raise ValueError("it tells of another quota")
        return _whole(quota["Value"])

    return Reader("Service Quotas GetServiceQuota", "servicequotas:GetServiceQuota", f"{service}/{code}", read)


def _price(client: Clients) -> str:
    """US dollars for an hour of a t3.micro with plain Linux on demand; exactly one product and one price must match."""
    wanted = {
        "instanceType": "t3.micro",
        "regionCode": REGION,
        "operatingSystem": "Linux",
        "preInstalledSw": "NA",
        "licenseModel": "No License required",
        "tenancy": "Shared",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
    }
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in wanted.items()]
    answer = client("pricing").get_products(ServiceCode="AmazonEC2", Filters=filters, FormatVersion="aws_v1")
    if answer.get("NextToken"):
        raise ValueError("more products match than one answer holds; one is expected")
    text = _only(answer["PriceList"], "product")
    product = json.loads(text) if isinstance(text, str) else text
    attributes = product["product"]["attributes"]
    if (attributes["instanceType"], attributes["regionCode"]) != ("t3.micro", REGION):
        raise ValueError("it tells of another product")
    term = _only(list(product["terms"]["OnDemand"].values()), "on-demand term")
    price = _only(list(term["priceDimensions"].values()), "price")
    if price["unit"] != "Hrs" or set(price["pricePerUnit"]) != {"USD"}:
        raise ValueError("the price is not in US dollars an hour")
    return _decimal(price["pricePerUnit"]["USD"])


def _zones(client: Clients) -> str:
    """The availability zones that the account may use, whatever their state: a disturbance does not make them fewer.
    Local and wavelength zones, which an account can opt into, are none."""
    zones = client("ec2").describe_availability_zones()["AvailabilityZones"]
    return _whole(len({zone["ZoneName"] for zone in zones if zone["ZoneType"] == "availability-zone"}))


def _regions(client: Clients) -> str:
    """The regions enabled for the account: those that DescribeRegions gives when it is not asked for all."""
    return _whole(len({region["RegionName"] for region in client("ec2").describe_regions()["Regions"]}))


def _vcpus(client: Clients) -> str:
    types = client("ec2").describe_instance_types(InstanceTypes=["t3.micro"])["InstanceTypes"]
    return _whole(_only(types, "instance type")["VCpuInfo"]["DefaultVCpus"])


READERS: Mapping[str, Reader] = {
    "lambda-concurrency": _quota("lambda", "L-B99A9384"),
    "t3-micro-price": Reader("Pricing GetProducts", "pricing:GetProducts", "t3.micro, Linux, on demand", _price),
    "availability-zones": Reader(
        "EC2 DescribeAvailabilityZones", "ec2:DescribeAvailabilityZones", "availability-zone", _zones
    ),
    "enabled-regions": Reader("EC2 DescribeRegions", "ec2:DescribeRegions", "enabled", _regions),
    "t3-micro-vcpus": Reader("EC2 DescribeInstanceTypes", "ec2:DescribeInstanceTypes", "t3.micro", _vcpus),
    "s3-buckets": _quota("s3", "L-DC2B2D3D"),
}


def read_live_facts(
    spec: Court, only: Sequence[str] | None = None, *, client: Clients | None = None
) -> tuple[Fact, ...]:
    """The facts of a version as AWS tells them now, in the order of items.jsonl; `only` names some of them.

    `client` gives the boto3 client of a service. One call is made for each fact; its `at` is when the answer came.

    Raises:
        SpecError: `only` names a fact that the version does not have.
        UsageError: a fact has no reader here, no or refused credentials, a permission that is missing (named by its
            IAM action), AWS throttles or cannot be reached, or an answer has another shape. No message names the
            account.
        MissingExtra: boto3 is not installed.
    """
    asked = [(fact, _reader(spec.item[fact.fact])) for fact in recorded_facts(spec, only)]
    clients = client or open_clients()
    facts = []
    for fact, reader in asked:
        truth = ask(partial(reader.read, clients), f"{fact.fact}: {reader.call}", reader.action)
        lie = lie_of(spec.item[fact.fact].lie_rule, truth)
        if lie == truth:
            raise UsageError(f"{fact.fact}: the lie for the truth {truth} is the same number. {OTHERWISE}")
        source = f"live: {reader.call} {reader.what}, {REGION}"
        facts.append(replace(fact, truth=truth, lie=lie, source=source, at=utc_now()))
    return tuple(facts)


def _reader(item: Item) -> Reader:
    reader = READERS.get(item.fact)
    if reader is None or (reader.call, REGION) != (item.source, item.region):
        how = f"{item.source!r} in {item.region}"
        raise UsageError(f"the fact {item.fact} ({how}) cannot be read from AWS by this version. {OTHERWISE}")
    return reader


def _only(found: Sequence[T], what: str) -> T:
    if len(found) != 1:
        raise ValueError(f"{len(found)} matches for one {what}")
    return found[0]


def _whole(value: object) -> str:
    """A count or a quota as plain digits. The SDK gives a quota as a float."""
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if type(number) is not int or not 0 < number < 2**53:
        raise ValueError(f"{value!r} is no whole number above 0")
    return str(number)


def _decimal(value: object) -> str:
    """A price in plain decimal notation, without trailing zeros."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,12})?", value) or not Decimal(value):
        raise ValueError(f"{value!r} is no price above 0")
    return f"{Decimal(value).normalize():f}"
