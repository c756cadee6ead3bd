"""XML files of installed packages. A candidate must cover at least the lines of Python's XML modules that the original covers."""

import glob
import os
import sys
import sysconfig

# Before the directory of this file is searched, which has no module `xml`.
import xml.dom.expatbuilder
import xml.dom.minidom
import xml.etree.ElementTree
import xml.sax
import xml.sax.saxutils

import worker

MODULES = os.path.dirname(os.path.dirname(xml.dom.minidom.__file__))


def files():
    library = sysconfig.get_paths()["purelib"]
    kinds = ["xml", "xsd", "svg", "rng", "xsl", "sch"]
    return [file for kind in kinds for file in glob.glob(f"{library}/**/*.{kind}", recursive=True)]


def validate(text):
    document = xml.dom.minidom.parseString(text)
    document.normalize()
    document.toprettyxml()
    copy = document.cloneNode(True)
    copy.unlink()
    tree = xml.etree.ElementTree.ElementTree(xml.etree.ElementTree.fromstring(text))
    xml.etree.ElementTree.tostring(tree.getroot(), method="xml")


def coverage(text):
    covered = set()

    def trace(frame, event, _):
        name = frame.f_code.co_filename
        if not name.startswith(MODULES):
            return None

        def lines(frame, event, _):
            if event == "line":
                covered.add((name, frame.f_lineno))
            return lines

        return lines

    sys.settrace(trace)
    try:
        validate(text)
    except Exception:
        pass
    finally:
        sys.settrace(None)
    return covered


baselines = {}


def judge(text, _, original):
    baseline = baselines.setdefault("original", None) or coverage(original)
    baselines["original"] = baseline
    return baseline <= coverage(text)


def kind(text):
    xml.dom.minidom.parseString(text)
    return "all lines"


if __name__ == "__main__":
    worker.main(files, {"coverage": kind}, judge)
