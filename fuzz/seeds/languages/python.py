#!/usr/bin/env python3
"""A small inventory."""

from __future__ import annotations

import asyncio, re
from collections import defaultdict as dd
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
LIMIT: int = 0xFF


@dataclass(frozen=True)
class Item:
    name: str
    price: float = 1.5e2
    tags: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.name!r}: {self.price:.2f}\n" + 'it\'s'


class S