#!/usr/bin/env python3
"""Makes small Python programs, for `lop gen`: earlier alternatives are simpler."""

import keyword

import lop_choice
from lop_choice import boolean, integer, pick, span


def name():
    word = lop_choice.text("abcdefghijklmnopqrstuvwxyz_", 1, 12)
    lop_choice.assume(not keyword.iskeyword(word))
    return word


@span("expression")
def expression(depth=0):
    kinds = [
        lambda: "0",
        lambda: name(),
        lambda: repr(lop_choice.text("0abc '\"\\", 0, 30)),
        lambda: "-" + expression(depth + 1),
        lambda: "not " + expression(depth + 1),
        lambda: f"({expression(depth + 1)} {pick(['+', '*', 'and', 'is not', 'in', '**'])} {expression(depth + 1)})",
        lambda: f"{name()}({arguments(depth)})",
        lambda: f"[{sequence(depth)}]",
        lambda: f"({sequence(depth)},)" if depth < 3 else "()",
        lambda: "{" + ", ".join(lop_choice.list(lambda: f"{expression(depth + 1)}: {expression(depth + 1)}", most=4)) + "}",
        lambda: f"(lambda {name()}: {expression(depth + 1)})",
        lambda: f"({expression(depth + 1)} if {expression(depth + 1)} else {expression(depth + 1)})",
        lambda: f"[{expression(depth + 1)} for {name()} in {expression(depth + 1)}]",
        lambda: f"{name()}[{expression(depth + 1)}:{expression(depth + 1)}]",
    ]
    return pick(kinds if depth < 4 else kinds[:3])()


def sequence(depth):
    return ", ".join(lop_choice.list(lambda: expression(depth + 1), least=1, most=5))


def arguments(depth):
    return ", ".join(lop_choice.list(lambda: (name() + "=" if boolean(0.3) else "*") + expression(depth + 1), most=4))


@span("block")
def block(depth):
    return "\n".join(lop_choice.list(lambda: statement(depth + 1), least=1, most=4))


@span("statement")
def statement(depth=0):
    indent = "    " * depth
    kinds = [
        lambda: "pass",
        lambda: expression(),
        lambda: f"{name()} = {expression()}",
        lambda: f"return_({expression()})  # {lop_choice.text('abc ', 0, 20)}",
        lambda: f"assert {expression()}, {expression()}",
        lambda: f"del {name()}[{expression()}]",
        lambda: f"if {expression()}:\n{block(depth)}",
        lambda: f"while {expression()}:\n{block(depth)}",
        lambda: f"with {expression()} as {name()}:\n{block(depth)}",
        lambda: f"try:\n{block(depth)}\n{indent}except {name()}:\n{block(depth)}",
        lambda: f"def {name()}({name()}, *, {name()}={expression()}):\n{block(depth)}",
        lambda: f"class {name()}({name()}):\n{block(depth)}",
        lambda: f"@{name()}\n{indent}def {name()}():\n{block(depth)}",
        lambda: f"import {name()}\n{indent}from {name()} import {name()}",
    ]
    return indent + pick(kinds if depth < 3 else kinds[:6])()


lop_choice.main(lambda: "\n".join(lop_choice.list(statement, least=1, most=8)) + "\n")
