"""Python files of installed packages that a pure-Python tool complains about, or fails on. All candidates must compile."""

import ast
import contextlib
import glob
import io
import logging
import os
import re
import sysconfig

import worker

logging.disable(logging.CRITICAL)


def files():
    paths = sysconfig.get_paths()
    found = glob.glob(paths["purelib"] + "/**/*.py", recursive=True)
    found += glob.glob(paths["stdlib"] + "/*.py") + glob.glob(paths["stdlib"] + "/*/*.py")
    return [file for file in found if 200 <= os.path.getsize(file) <= 40000]


def compiles(text):
    try:
        compile(text, "candidate", "exec", dont_inherit=True)
        return True
    except Exception:
        return False


def pyflakes(text):
    from pyflakes import checker

    found = checker.Checker(ast.parse(text)).messages
    return [f"{type(message).__name__} {message.message_args}" for message in found]


def bugbear(text):
    import bugbear

    lines = text.decode().splitlines(True)
    found = bugbear.BugBearChecker(tree=ast.parse(text), filename="candidate.py", lines=lines, max_line_length=10000)
    return [error[2] for error in found.run()]


def mccabe(text):
    """The complexity of the most complex function; that of a candidate must not be less."""
    import mccabe

    visitor = mccabe.PathGraphingAstVisitor()
    visitor.preorder(ast.parse(text), visitor)
    return max((graph.complexity() for graph in visitor.graphs.values()), default=0)


def restricted(text):
    from RestrictedPython import compile_restricted_exec

    return [re.sub(r"Line \S+: ", "", error) for error in compile_restricted_exec(text.decode()).errors]


def masked(error):
    message = re.sub(r"0x[0-9a-f]+|\d+", "N", str(error))
    return f"{type(error).__name__}: {message}".split("\n")[0]


def fails(tool):
    def failure(text):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                tool(text.decode())
        except Exception as error:
            return [masked(error)]
        return []

    return failure


def pasta(text):
    import pasta

    pasta.parse(text)


def lib2to3(text):
    import lib2to3.pgen2.driver
    import lib2to3.pygram
    import lib2to3.pytree

    grammar = lib2to3.pygram.python_grammar_no_print_and_exec_statement
    driver = lib2to3.pgen2.driver.Driver(grammar, convert=lib2to3.pytree.convert)
    driver.parse_string(text + "\n")


TOOLS = {
    "pyflakes": pyflakes,
    "bugbear": bugbear,
    "pasta": fails(pasta),
    "restricted": restricted,
    "lib2to3": fails(lib2to3),
}


def complexity(text):
    found = mccabe(text)
    return found if found >= 4 else None


def judge(text, property, _):
    kind, found = property
    if not compiles(text):
        return False
    return mccabe(text) >= found if kind == "mccabe" else set(found) <= set(TOOLS[kind](text))


if __name__ == "__main__":
    worker.main(files, TOOLS | {"mccabe": complexity}, judge)
