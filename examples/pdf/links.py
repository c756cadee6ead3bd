"""Exits with 0 if a document has a page with a link that pypdf rejects, since a key is there twice."""

import logging
import sys

import pypdf

logging.disable(logging.CRITICAL)
reader = pypdf.PdfReader(sys.argv[1], strict=True)
for page in reader.pages:
    for link in page.get("/Annots", []):
        try:
            link.get_object()
        except pypdf.errors.PdfReadError as error:
            sys.exit(0 if "Multiple definitions in dictionary" in str(error) else 1)
sys.exit(1)
