"""Notes which lines of some files run. Python imports this at its start, also with -S, since PYTHONWARNINGS names a category of this module."""
import os
import sys

_place = os.environ["LOP_REACHED"]
with open(os.path.join(_place, "names")) as _file:
    _names = set(_file.read().splitlines())
_kept = open(os.path.join(_place, "lines-%d" % os.getpid()), "ab", 0)
_noted = set()


class Never(Warning):
    """Nothing warns of this."""


def _is_watched(code):
    return os.path.basename(code.co_filename) in _names


def _note(code, line):
    if (code.co_filename, line) not in _noted:
        _noted.add((code.co_filename, line))
        _kept.write(("%d:%s\n" % (line, code.co_filename)).encode())


def _traced(frame, event, _):
    if not _is_watched(frame.f_code):
        return None
    if event == "line":
        _note(frame.f_code, frame.f_lineno)
    return _traced


def _line(code, line):
    if _is_watched(code):
        _note(code, line)
    return sys.monitoring.DISABLE


if hasattr(sys, "monitoring"):
    sys.monitoring.use_tool_id(sys.monitoring.COVERAGE_ID, "lop")
    sys.monitoring.register_callback(sys.monitoring.COVERAGE_ID, sys.monitoring.events.LINE, _line)
    sys.monitoring.set_events(sys.monitoring.COVERAGE_ID, sys.monitoring.events.LINE)
else:
    import threading

    threading.settrace(_traced)
    sys.settrace(_traced)
