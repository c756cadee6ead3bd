"""PDF documents made by reportlab and fpdf2. A candidate must keep some texts, links, titles or fields, as pypdf or pdfminer sees them."""

import io
import logging
import os
import random

import pdfminer.high_level
import pypdf

import worker

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega".split()
NUMBER = 300


def files():
    """Makes the documents, once; a name says which program made it."""
    os.makedirs("documents", exist_ok=True)
    names = [f"documents/{number:03}.pdf" for number in range(NUMBER)]
    for number, name in enumerate(names):
        if not os.path.exists(name):
            make = [reportlab, fpdf][number % 2]
            content = make(random.Random(number))
            with open(name, "wb") as file:
                file.write(content)
    return [os.path.abspath(name) for name in names]


def sentence(generator):
    return " ".join(generator.choices(WORDS, k=generator.randint(3, 7))).capitalize() + "."


def reportlab(generator):
    from reportlab import rl_config
    from reportlab.lib import colors
    from reportlab.pdfgen import canvas

    rl_config.invariant = 1
    file = io.BytesIO()
    page = canvas.Canvas(file, pageCompression=generator.randint(0, 1))
    page.setTitle(sentence(generator))
    page.setAuthor(generator.choice(WORDS))
    for number in range(generator.randint(1, 4)):
        page.bookmarkPage(f"page{number}")
        page.addOutlineEntry(sentence(generator), f"page{number}", level=0)
        for line in range(generator.randint(3, 12)):
            page.setFont(generator.choice(["Helvetica", "Times-Roman", "Courier", "Helvetica-Bold"]), generator.randint(8, 14))
            page.setFillColor(generator.choice([colors.red, colors.black, colors.blue]))
            page.drawString(72, 760 - 20 * line, sentence(generator))
        for _ in range(generator.randint(0, 5)):
            a, b, c, d = (generator.randint(50, 300) for _ in range(4))
            generator.choice([page.rect, page.line, page.ellipse])(a, b, c, d)
        if generator.random() < 0.5:
            page.linkURL("https://example.org/" + generator.choice(WORDS), (72, 72, 200, 90))
        if generator.random() < 0.3:
            page.acroForm.textfield(name=generator.choice(WORDS), x=100, y=100, value=generator.choice(WORDS))
        page.showPage()
    page.save()
    return file.getvalue()


def fpdf(generator):
    import datetime

    from fpdf import FPDF

    document = FPDF()
    document.set_creation_date(datetime.datetime(2017, 1, 1, tzinfo=datetime.timezone.utc))
    document.set_compression(generator.random() < 0.5)
    document.set_title(sentence(generator))
    document.set_subject(sentence(generator))
    for _ in range(generator.randint(1, 4)):
        document.add_page()
        document.start_section(sentence(generator))
        for _ in range(generator.randint(3, 12)):
            document.set_font(generator.choice(["Helvetica", "Times", "Courier"]), generator.choice(["", "B", "I"]), generator.randint(8, 14))
            link = "https://example.org/" + generator.choice(WORDS) if generator.random() < 0.2 else ""
            document.cell(0, 10, sentence(generator), new_x="LMARGIN", new_y="NEXT", link=link)
        for _ in range(generator.randint(0, 5)):
            document.rect(*(generator.randint(20, 90) for _ in range(4)))
        if generator.random() < 0.3:
            document.text_annotation(50, 50, sentence(generator))
    return bytes(document.output())


def reader(text):
    return pypdf.PdfReader(io.BytesIO(text), strict=True)


def sentences(text):
    found = []
    for page in reader(text).pages:
        found += [line.strip() for line in page.extract_text().splitlines() if line.strip()]
    return found


def mined(text):
    found = pdfminer.high_level.extract_text(io.BytesIO(text))
    return [line.strip() for line in found.splitlines() if line.strip()]


def outline(text):
    return [str(entry.title) for entry in reader(text).outline]


def links(text):
    found = []
    for page in reader(text).pages:
        for annotation in page.get("/Annots", []):
            annotation = annotation.get_object()
            if "/A" in annotation and "/URI" in annotation["/A"]:
                found.append(str(annotation["/A"]["/URI"]))
    return found


def fonts(text):
    """The texts with the fonts that they are in."""
    found = []

    def visit(text, _, __, font, size):
        if text.strip() and font:
            found.append(f"{font['/BaseFont']} {size} {text.strip()}")

    for page in reader(text).pages:
        page.extract_text(visitor_text=visit)
    return found


def fields(text):
    found = reader(text).get_fields() or {}
    return [f"{name}={field.get('/V')}" for name, field in found.items()]


TOOLS = {"text": sentences, "miner": mined, "outline": outline, "links": links, "fonts": fonts, "fields": fields}


def judge(text, property, _):
    kind, found = property
    return set(found) <= set(TOOLS[kind](text))


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    worker.main(files, TOOLS, judge)
