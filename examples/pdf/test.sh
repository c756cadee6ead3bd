#!/bin/sh
# Interesting: pypdf opens the document, and complains about a key in a link that is there twice.
here=$(dirname "$0")
"$here/../../target/examples/pdf/bin/python" "$here/links.py" notes.pdf
