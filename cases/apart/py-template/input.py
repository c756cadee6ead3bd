import re
from itertools import chain


class TemplateError(Exception):
    pass


LEXER = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})", re.S)


def lex(source):
    """Split a template into (kind, text) pairs."""
    for part in LEXER.split(source):
        if part.startswith("{{"):
            yield "expr", part[2:-2].strip()
        elif part.startswith("{%"):
            yield "tag", part[2:-2].strip()
        elif part:
            yield "text", part


def compile_nodes(tokens, stop=()):
    nodes = []
    for kind, text in tokens:
        if kind == "text":
            nodes.append(Text(text))
        elif kind == "expr":
            nodes.append(Expr(text))
        else:
            words = text.split()
            if words[0] in stop:
                return nodes, words[0]
            nodes.append(TAGS[words[0]](words, tokens))
    if stop:
        raise TemplateError("missing " + " or ".join(stop))
    return nodes, None


class Text:
    def __init__(self, text):
        self.text = text

    def render(self, scope):
        yield self.text


class Expr:
    FILTERS = {
        "upper": str.upper,
        "title": str.title,
        "count": lambda v: str(len(v)),
        "first": lambda v: next(iter(v)),
    }

    def __init__(self, source):
        self.path, *self.filters = [p.strip() for p in source.split("|")]

    def value(self, scope):
        value = scope
        for name in self.path.split("."):
            value = value[name]
        for name in self.filters:
            value = self.FILTERS[name](value)
        return value

    def render(self, scope):
        yield str(self.value(scope))


class For:
    def __init__(self, words, tokens):
        _, self.name, _, source = words
        self.source = Expr(source)
        self.body, end = compile_nodes(tokens, ("endfor", "empty"))
        self.empty = []
        if end == "empty":
            self.empty, _ = compile_nodes(tokens, ("endfor",))

    def render(self, scope):
        items = list(self.source.value(scope))
        if not items:
            yield from render_all(self.empty, scope)
        for index, item in enumerate(items, 1):
            yield from render_all(self.body, {**scope, self.name: item, "index": index})


class If:
    def __init__(self, words, tokens):
        self.negate = words[1] == "not"
        self.test = Expr(words[-1])
        self.yes, end = compile_nodes(tokens, ("else", "endif"))
        self.no = compile_nodes(tokens, ("endif",))[0] if end == "else" else []

    def render(self, scope):
        chosen = self.yes if bool(self.test.value(scope)) != self.negate else self.no
        yield from render_all(chosen, scope)


TAGS = {"for": For, "if": If}


def render_all(nodes, scope):
    return chain.from_iterable(node.render(scope) for node in nodes)


def render(source, **scope):
    nodes, _ = compile_nodes(lex(source))
    return "".join(render_all(nodes, scope))


PAGE = """\
Dear {{ user.name|title }},
{% if cart %}your cart has {{ cart|count }} items:
{% for item in cart %}{{ index }}. {{ item.name }}: {{ item.tags|first|upper }}
{% empty %}nothing
{% endfor %}{% else %}your cart is empty.
{% endif %}{% if not user.member %}Join us!{% endif %}
"""

USERS = [
    {"name": "ada lovelace", "member": True},
    {"name": "charles babbage", "member": False},
]
CARTS = {
    "ada lovelace": [],
    "charles babbage": [
        {"name": "gear", "tags": ["brass", "small"]},
        {"name": "manual", "tags": []},
    ],
}

for user in USERS:
    print(render(PAGE, user=user, cart=CARTS[user["name"]]))
