"""Validates a catalogue of books: well-formed, known elements, required attributes, references that exist."""

import xml.etree.ElementTree

ALLOWED = {
    "catalog": {"publisher", "book", "note"},
    "publisher": {"city"},
    "book": {"title", "author", "price", "seealso"},
    "note": set(),
    "title": set(),
    "author": set(),
    "price": set(),
    "city": set(),
    "seealso": set(),
}


def check(path):
    """The mistakes of a file."""
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except xml.etree.ElementTree.ParseError as error:
        return [f"not well-formed: {error}"]
    mistakes = []
    if root.tag != "catalog":
        return ["the root is not a catalog"]
    identifiers, references = set(), []
    visit(root, mistakes, identifiers, references)
    for reference in references:
        if reference not in identifiers:
            mistakes.append(f"no element has the identifier {reference}")
    return mistakes


def visit(element, mistakes, identifiers, references):
    allowed = ALLOWED[element.tag]
    identifier = element.get("id")
    if identifier is not None:
        if identifier in identifiers:
            mistakes.append(f"the identifier {identifier} is used twice")
        identifiers.add(identifier)
    if element.tag == "price":
        price(element, mistakes)
    elif element.tag == "book":
        if identifier is None:
            mistakes.append("a book has no identifier")
        publisher = element.get("publisher")
        if publisher:
            references.append(publisher)
    elif element.tag == "seealso":
        references.append(element.get("ref"))
    elif element.tag == "title" and not element.text:
        mistakes.append("a title is empty")
    for child in element:
        if child.tag in allowed:
            visit(child, mistakes, identifiers, references)
        else:
            mistakes.append(f"{child.tag} is not allowed in {element.tag}")


def price(element, mistakes):
    try:
        amount = float(element.text or "")
    except ValueError:
        mistakes.append("a price is not a number")
        return
    if amount < 0:
        mistakes.append("a price is negative")
    if element.get("currency") == "EUR":
        amount *= 1.1
