#!/usr/bin/env python3
"""A small inventory."""

from __future__ import annotations

import asyncio, re
from collections import defaultdict as dd
from dataclasses import dataclass, field
from typing i