"""Makes notes.pdf: four pages, one of which has a link with a key that is there twice."""

objects = []


def add(text):
    objects.append(text)
    return len(objects)


def page(number):
    lines = [f"BT /F1 12 Tf 72 {720 - 20 * line} Td (Note {number}.{line}) Tj ET" for line in range(8)]
    content = "\n".join([f"{number} w 50 50 m 300 50 l S"] + lines)
    stream = add(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    twice = " /H /N" if number == 3 else ""
    action = add(f"<< /S /URI /URI (https://example.org/{number}) >>")
    link = add(f"<< /Type /Annot /Subtype /Link /Rect [72 700 200 720] /Border [0 0 0] /H /I{twice} /A {action} 0 R >>")
    return add(
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {stream} 0 R /Annots [{link} 0 R]"
        f" /Resources << /Font << /F1 3 0 R >> >> >>"
    )


add("<< /Type /Catalog /Pages 2 0 R >>")
add("")
add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
pages = [page(number) for number in range(1, 5)]
objects[1] = f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{number} 0 R' for number in pages)}] >>"
information = add("<< /Title (Notes) /Author (A. U. Thor) /Producer (make.py) >>")

text, places = "%PDF-1.4\n", []
for number, content in enumerate(objects, 1):
    places.append(len(text))
    text += f"{number} 0 obj\n{content}\nendobj\n"
table = "".join(f"{place:010} 00000 n \n" for place in places)
end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
end += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {information} 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
with open("notes.pdf", "w") as file:
    file.write(text + end)
