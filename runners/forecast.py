"""What a session would still ask: one entry a missing call. The benchmarks fill it, `runners.estimate` adds up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ahead:
    """One call to come: what its prompt is sure to hold, and how many earlier replies it will quote besides."""

    model: str
    text_bytes: int
    messages: int
    quoted_replies: int = 0
    only_if_needed: bool = False
    """A second ask that comes only after a reply that does not parse."""
