"""The worker's half of the protocol: lists inputs, or judges candidates that it reads from a pipe.

    SCRIPT list SEED COUNT       prints the inputs and the files to learn from, as JSON
    SCRIPT judge FILE PROPERTY   reads candidates, each after a line with its length; answers each with a line, 1 or 0
"""

import json
import random
import sys
import warnings

# The number of files from which inputs are chosen, and which are learned from.
MOST = 2500


def main(files, kinds, judge):
    """files() are all files, kinds[name](text) is a property, nothing, or a list of messages; judge(text, property, original) says whether it holds."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(3000)
    if sys.argv[1] == "list":
        choose(files(), kinds, int(sys.argv[2]), int(sys.argv[3]))
    else:
        serve(judge, read(sys.argv[2]), json.loads(sys.argv[3]))


def choose(files, kinds, seed, count):
    """Chooses inputs in a random order of the files, so that the kinds of properties take turns."""
    generator = random.Random(seed)
    files = sorted(files)
    generator.shuffle(files)
    files = files[:MOST]
    order = [file for file in files if 2000 <= len(read(file)) <= 15000]
    names = list(kinds)
    inputs, used = [], set()
    while len(inputs) < count and names:
        kind = names[len(inputs) % len(names)]
        for file in order:
            found = None if file in used else attempt(kinds[kind], read(file))
            if found:
                used.add(file)
                # Several messages at once make larger results than one.
                if isinstance(found, list):
                    found = sorted(generator.sample(found, min(3, len(found))))
                inputs.append({"kind": kind, "file": file, "property": [kind, found]})
                break
        else:
            names.remove(kind)
    json.dump({"inputs": inputs, "corpus": [file for file in files if file not in used]}, sys.stdout)


def attempt(kind, text):
    try:
        found = kind(text)
        return sorted(set(found)) if isinstance(found, list) else found
    except Exception:
        return None


def serve(judge, original, property):
    # Tools print to standard output; answers must not be among that.
    answers, sys.stdout = sys.stdout, sys.stderr
    sys.stderr = open("/dev/null", "w")
    while line := sys.stdin.buffer.readline():
        text = sys.stdin.buffer.read(int(line))
        try:
            answer = judge(text, property, original)
        except Exception:
            answer = False
        answers.write("1\n" if answer else "0\n")
        answers.flush()


def read(file):
    with open(file, "rb") as opened:
        return opened.read()
