"""Makes catalog.xml: a catalogue with most of the mistakes that validator.py knows."""

import random

generator = random.Random(1)
print('<?xml version="1.0"?>\n<catalog>')
for number in range(4):
    print(f'  <publisher id="p{number}">\n    <city>City {number}</city>\n  </publisher>')
for number in range(16):
    identifier = "" if number == 11 else f' id="b{3 if number == 7 else number}"'
    print(f'  <book{identifier} publisher="p{generator.randint(0, 4)}">')
    print(f"    <title>{'' if number == 5 else f'Title {number}'}</title>")
    for author in range(generator.randint(1, 3)):
        print(f"    <author>Author {generator.randint(1, 20)}</author>")
    amount = {4: "free", 9: "-1"}.get(number, generator.randint(5, 50))
    print(f'    <price currency="{generator.choice(["EUR", "USD"])}">{amount}</price>')
    if number % 4 == 2:
        print(f'    <seealso ref="b{generator.randint(0, 15)}"/>')
    if number == 13:
        print("    <weight>2</weight>")
    print("  </book>")
print("  <note>All prices are net.</note>\n</catalog>")
