//! Binary formats, as users see them.

mod common;

use std::process::Command;

use common::{Place, finished, start};

/// A compressed file of many lines, and a test that asks for one of them.
fn compressed() -> Place {
    let place = Place::new();
    let lines: String = (0..20_000).map(|line| format!("line {line}\n")).collect();
    place.write("log.txt", lines);
    assert_eq!(finished(start(place.command("gzip").args(["-9", "log.txt"]))).code, 0);
    place.script("test", "gzip -dc \"$1\" | grep -q '7777'");
    place
}

fn content(place: &Place, name: &str) -> String {
    finished(start(place.command("gzip").args(["-dc", name]))).stdout
}

/// The number of tests, from the summary.
fn tests(stderr: &str) -> usize {
    let before = stderr.split(" tests in").next().unwrap_or_default();
    let number = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    number.replace(',', "").parse().unwrap_or_else(|_| panic!("no number of tests in {stderr}"))
}

#[test]
fn a_compressed_file_is_reduced_as_what_it_holds_and_compressed_again() {
    let place = compressed();
    let output = place.lop(["./test", "log.txt.gz"]);
    output.expect(0, &["compressed parts are stored uncompressed while it is reduced"]);
    assert_eq!(content(&place, "log.txt.lop.gz").trim(), "7777");
    assert!(tests(&output.stderr) < 100, "{}", output.stderr);
    assert!(place.read("log.txt.lop.gz").len() < 50);
}

#[test]
fn a_run_over_compressed_content_is_resumed_and_does_not_depend_on_the_workers() {
    let place = compressed();
    place.lop(["./test", "log.txt.gz", "-j1", "-o", "whole.gz"]).expect(0, &[]);
    place.lop(["./test", "log.txt.gz", "-j3", "-o", "part.gz", "--max-tests", "9"]).expect(0, &[]);
    assert!(content(&place, "part.gz").contains("7777"));
    place.lop(["./test", "log.txt.gz", "-j2", "-o", "part.gz", "--resume"]).expect(0, &[]);
    assert_eq!(place.read("part.gz"), place.read("whole.gz"));
}

#[test]
fn where_the_uncompressed_copy_is_boring_the_bytes_are_reduced_as_they_are() {
    let place = compressed();
    let small = place.read("log.txt.gz").len();
    let test = format!("test $(wc -c < \"$1\") -le {small} && gzip -dc \"$1\" | grep -q 7777");
    place.script("test", &test);
    let output = place.lop(["./test", "log.txt.gz", "--max-tests", "20"]);
    output.expect(0, &[]);
    assert!(!output.stderr.contains("uncompressed"), "{}", output.stderr);
    assert!(content(&place, "log.txt.lop.gz").contains("7777"));
}

#[test]
fn an_archive_keeps_the_entries_that_are_needed() {
    let place = Place::new();
    // An archive that Python wrote, if there is Python; the reader is Python's, too.
    let python = |place: &Place, script: &str| {
        finished(start(place.command("python3").args(["-c", script])))
    };
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let make = "import zipfile\n\
                z = zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED)\n\
                for i in range(30): z.writestr('d/f%d.txt' % i, 'text %d\\n' % i * 100)\n\
                z.writestr('main.c', 'int f(void) { return 1; }\\nint main(void) { needle(); }\\n')\n\
                z.close()";
    assert_eq!(python(&place, make).code, 0);
    place.script(
        "test",
        "python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
         assert any(b\"needle();\" in z.read(n) for n in z.namelist())' \"$1\"",
    );
    let output = place.lop(["./test", "a.zip", "--fast"]);
    output.expect(0, &[]);
    let list = "import zipfile; z = zipfile.ZipFile('a.lop.zip')\n\
                print([(n, z.read(n).decode()) for n in z.namelist()])";
    let listed = python(&place, list).stdout;
    assert!(listed.starts_with("[('main.c', '") && listed.matches('\'').count() == 4, "{listed}");
    assert!(!listed.contains("return 1"), "{listed}");
    assert!(tests(&output.stderr) < 60, "{}", output.stderr);
}

#[test]
fn a_tree_shows_the_chunks_and_the_list_of_languages_has_binary_formats() {
    let place = Place::new();
    let chunk = |kind: &str, data: &[u8]| {
        [&(data.len() as u32).to_be_bytes(), kind.as_bytes(), data, &[0; 4]].concat()
    };
    let file = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk("IHDR", &[0; 13]),
        chunk("tEXt", b"some text"),
        chunk("IEND", b""),
    ];
    place.write("a.png", file.concat());
    let output = place.lop(["tree", "a.png"]);
    output.expect(0, &[]);
    assert_eq!(output.stdout.matches("chunk  ✂*").count(), 3, "{}", output.stdout);
    assert!(output.stdout.contains("word “some”"), "{}", output.stdout);
    let output = place.lop(["languages"]);
    assert!(output.stdout.contains("\n  png  ") && output.stdout.contains("\n  ini  "));
}

#[test]
fn compressed_files_of_a_directory_are_reduced_as_what_they_hold() {
    let place = compressed();
    std::fs::create_dir(place.path("d")).unwrap();
    std::fs::rename(place.path("log.txt.gz"), place.path("d/log.txt.gz")).unwrap();
    place.write("d/other.txt", "nothing\n");
    place.script("test", "gzip -dc d/log.txt.gz | grep -q '7777'");
    let output = place.lop(["./test", "d"]);
    output.expect(0, &["compressed parts are stored uncompressed"]);
    assert_eq!(content(&place, "d.lop/log.txt.gz").trim(), "7777");
    assert!(tests(&output.stderr) < 150, "{}", output.stderr);
}

/// A PDF of four pages, each with a text in an uncompressed stream.
fn pdf(trailer: &str) -> Vec<u8> {
    let kids: Vec<String> = (3..7).map(|page| format!("{page} 0 R")).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [ {} ] /Count 4 >>", kids.join(" ")),
    ];
    objects.extend((7..11).map(|content| {
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 9 9 ] /Contents {content} 0 R >>")
    }));
    objects.extend((0..4).map(|page| {
        let text = format!("BT\n(page {page}) Tj\nET\n");
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len())
    }));
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = "xref\n0 11\n0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(objects) {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let start = file.len();
    format!(
        "{file}{table}trailer\n<< /Size 11 /Root 1 0 R {trailer}>>\nstartxref\n{start}\n%%EOF\n"
    )
    .into()
}

#[test]
fn a_pdf_is_reduced_by_its_objects() {
    let place = Place::new();
    place.write("a.pdf", pdf(""));
    place.script("test", "grep -q '/Pages' \"$1\" && grep -q '(page 2)' \"$1\"");
    let output = place.lop(["./test", "a.pdf"]);
    output.expect(0, &[]);
    let result = String::from_utf8(place.read("a.lop.pdf")).unwrap();
    assert!(result.contains("/Kids [ ]") || result.contains("/Kids []"), "{result}");
    assert!(result.contains("/Count 0") && result.contains("/Length 8"), "{result}");
    assert!(result.len() < 450, "{result}");
    let output = place.lop(["tree", "a.pdf"]);
    output.expect(0, &[]);
    assert_eq!(output.stdout.matches("object  ✂*").count(), 10, "{}", output.stdout);
    assert!(output.stdout.contains("operation  ✂*"), "{}", output.stdout);
}

#[test]
fn an_encrypted_pdf_says_so() {
    let place = Place::new();
    place.write("a.pdf", pdf("/Encrypt << /Filter /Unknown >> "));
    place.script("test", "grep -q '(page 2)' \"$1\"");
    let output = place.lop(["./test", "a.pdf", "--max-tests", "20"]);
    output.expect(0, &["the input is encrypted; it is reduced as bytes"]);
    let output = place.lop(["tree", "a.pdf"]);
    output.expect(0, &["a.pdf is encrypted; it is reduced as bytes"]);
}
