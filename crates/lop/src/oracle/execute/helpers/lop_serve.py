"""Lets a test in Python stay: `lop --serve` starts it once and hands it one candidate after the other.

    #!/usr/bin/env python3
    from lop_serve import serve

    import slow_library

    def check(path):
        return slow_library.parse(path) is None

    serve(check)

Without --serve, the same file is an ordinary test: it judges the candidate that its first argument names.

`check` returns True or 0 if the candidate is interesting, else False or another exit code; None means 0, as for a
script that comes to its end. An exception is exit code 1, with its traceback on standard error; sys.exit() counts, too.

With `serve(check, fork=True)` a child process judges each candidate, and nothing that it changes in memory is left for
the next one. Import everything before, and start no threads.

The protocol is described in docs/src/guides/serve.md of lop.
"""

import os
import sys
import traceback

__all__ = ["serve"]


def serve(check, fork=False):
    """Judges the candidates that lop sends, or, without lop, the one that the first argument names."""
    # Programs that the check starts are not served.
    candidates, answers = os.environ.pop("LOP_CANDIDATES", None), os.environ.pop("LOP_ANSWERS", None)
    if candidates is None:
        sys.exit(_judge(check, sys.argv[1]))
    judge = _judge_in_child if fork else _judge
    home = os.getcwd()
    with open(candidates, "rb") as candidates, open(answers, "wb", buffering=0) as answers:
        answers.write(b"lop-serve 1\n")
        for line in candidates:
            number, path = line.rstrip(b"\n").split(b" ", 1)
            os.chdir(home)
            code = judge(check, os.fsdecode(path))
            answers.write(number + b" %d\n" % code)


def _judge(check, path):
    try:
        code = check(path)
    except SystemExit as stop:
        code = stop.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:
        traceback.print_exc()
        code = 1
    if isinstance(code, bool):
        code = 0 if code else 1
    sys.stdout.flush()
    sys.stderr.flush()
    return 0 if code is None else code & 255


def _judge_in_child(check, path):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _judge(check, path)
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # A signal, as shells report it.
    return 128 - code if code < 0 else code
