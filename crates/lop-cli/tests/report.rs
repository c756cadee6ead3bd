//! The page about a run: what is in it, and whether a browser can be clicked through it.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::Place;
use serde_json::{Value, json};

const PROGRAM: &str = "/* a </script> comment */\nint used(int x) { return x + 1; }\nint unused(void) { return 7; }\nint main(void) { return used(2); }\n";

fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    place.script("test.sh", "grep -q 'used' prog.c && grep -q main prog.c");
    place
}

/// The data that a page shows.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("a page has data");
    let (data, _) = rest.split_once("</script>").expect("the data ends");
    serde_json::from_str(data).expect("the data is JSON")
}

#[test]
fn a_report_is_one_file_with_all_that_is_known_of_a_run() {
    let place = place();
    place.lop(["./test.sh", "prog.c", "--report", "out.html"]).expect(0, &[]);
    let page = String::from_utf8(place.read("out.html")).unwrap();
    for outside in ["src=", "href=", "@import", "url(", "fetch("] {
        assert!(!page.contains(outside), "{outside} loads something");
    }
    let data = data(&page);
    assert_eq!(data["original"]["text"], PROGRAM);
    assert_eq!(data["result"]["text"].as_str().unwrap().as_bytes(), place.read("prog.lop.c"));
    assert_eq!(data["command"], "lop ./test.sh prog.c --report out.html");
    assert_eq!(data["facts"]["property"], "exit 0");
    assert_eq!(data["runs"][0]["report"]["end"], "complete");
    assert!(data["runs"][0]["report"]["phases"].as_array().is_some_and(|it| !it.is_empty()));
    let tests = |of: &Value| of["tests"].as_u64().unwrap();
    let times = data["runs"][0]["report"]["times"].as_array().unwrap();
    assert_eq!(times.iter().map(tests).sum::<u64>(), data["runs"][0]["report"]["executed"]);
    // The parts cover the whole text, and each has the step that removed it.
    let parts = data["original"]["parts"].as_array().unwrap();
    let length: u64 = parts.iter().map(|part| part[0].as_u64().unwrap()).sum();
    assert_eq!(length, PROGRAM.encode_utf16().count() as u64);
    let steps = data["steps"].as_array().unwrap().len() as u64;
    let removing: Vec<u64> = parts.iter().filter_map(|part| part[1].as_u64()).collect();
    assert!(!removing.is_empty() && removing.iter().all(|step| (1..=steps).contains(step)));
    let colours = data["original"]["colours"].as_array().unwrap();
    assert!(colours.iter().any(|part| part[1] == "Keyword"), "{colours:?}");
}

#[test]
fn a_report_of_a_megabyte_has_less_than_two() {
    let place = Place::new();
    let line =
        |number: usize| format!("int variable_{number} = {number}; /* it's \"{number}\" */\n");
    let text: String = (0..)
        .map(line)
        .scan(0, |length, line| {
            *length += line.len();
            (*length < 1 << 20).then_some(line)
        })
        .collect();
    place.write("prog.c", &text);
    place.script("test.sh", "grep -q variable_777 prog.c");
    place.lop(["./test.sh", "prog.c", "--report", "out.html", "--max-tests", "40"]).expect(0, &[]);
    let page = place.read("out.html");
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_run() {
    let place = place();
    let report = |path: &str| place.lop(["./test.sh", "prog.c", "--report", path]);
    report("out.txt").expect(2, &["reports are HTML files", "ends in .html"]);
    report("missing/out.html").expect(2, &["its directory does not exist"]);
    assert!(!place.path("prog.lop.c").exists());
}

#[test]
fn a_comparison_has_a_report_with_the_curves_of_all_strategies() {
    let place = place();
    let arguments = [
        "compare",
        "./test.sh",
        "prog.c",
        "--strategies",
        "default,pardis*",
        "--report",
        "out.html",
    ];
    place.lop(arguments).expect(0, &[]);
    let data = data(&String::from_utf8(place.read("out.html")).unwrap());
    let labels: Vec<&Value> =
        data["runs"].as_array().unwrap().iter().map(|it| &it["label"]).collect();
    assert_eq!(labels, ["default", "pardis*"]);
    assert!(data["runs"][1]["points"].as_array().is_some_and(|points| !points.is_empty()));
}

/// A browser that a program drives.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// `None` if this machine has none; a machine that runs all tests must have one.
    fn start() -> Option<Browser> {
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut driver = match driver {
            Ok(driver) => driver,
            Err(error) => {
                let is_set = |name: &str| std::env::var_os(name).is_some();
                let may_lack = !is_set("LOP_TEST_ALL") || is_set("LOP_TEST_NO_BROWSER");
                assert!(may_lack, "chromedriver cannot be started: {error}");
                return None;
            }
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next().expect("the driver says its port").unwrap();
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse().unwrap();
            }
        };
        // What it says later must go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Browser { driver, port, session: String::new() };
        let arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": arguments } } } });
        let session = browser.ask("POST", "/session", &wanted);
        browser.session = session["sessionId"].as_str().expect("a session begins").to_owned();
        Some(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = body.to_string();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        // The driver does not close the connection.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            let header = line.trim().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).unwrap();
        let value: Value = serde_json::from_slice(&body).expect("an answer is JSON");
        assert!(value["value"]["error"].is_null(), "{value}");
        value["value"].clone()
    }

    fn open(&self, address: &str) {
        self.ask("POST", &format!("/session/{}/url", self.session), &json!({ "url": address }));
    }

    /// The value of a function's body.
    fn run(&self, script: &str) -> Value {
        let path = format!("/session/{}/execute/sync", self.session);
        self.ask("POST", &path, &json!({ "script": script, "args": [] }))
    }

    /// Clicks what a selector finds, as a person would.
    fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("{element}/click"), &json!({}));
    }

    /// Types into what a selector finds.
    fn press(&self, selector: &str, keys: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("{element}/value"), &json!({ "text": keys }));
    }

    fn element(&self, selector: &str) -> String {
        let path = format!("/session/{}/element", self.session);
        let found = self.ask("POST", &path, &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned();
        format!("/session/{}/element/{id}", self.session)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.ask("DELETE", &path, &json!({}))
        }));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

#[test]
fn a_browser_is_clicked_through_a_report() {
    let Some(browser) = Browser::start() else { return };
    let place = place();
    place.lop(["./test.sh", "prog.c", "--report", "out.html"]).expect(0, &[]);
    browser.open(&format!("file://{}", place.path("out.html").display()));
    assert_eq!(browser.run("return document.title"), "lop: prog.c");
    // The whole original is there, with its colours and with the tag in its comment.
    let text = browser.run("return document.getElementById('original').textContent");
    assert_eq!(text, PROGRAM);
    let keywords = browser.run("return document.querySelectorAll('#original .Keyword').length");
    assert!(keywords.as_u64() >= Some(3), "{keywords}");
    // At the end, what is not struck out is less than the original; at the beginning it is all of it.
    let gone = "return document.querySelectorAll('#original .gone').length";
    assert!(browser.run(gone).as_u64() >= Some(1));
    let last = data(&String::from_utf8(place.read("out.html")).unwrap())["steps"]
        .as_array()
        .unwrap()
        .len();
    let shown = || {
        browser
            .run("return document.getElementById('where').textContent")
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(shown().starts_with(&format!("step {last} of {last}: ")), "{}", shown());
    browser.click("#back");
    assert!(shown().starts_with(&format!("step {} of {last}: ", last - 1)), "{}", shown());
    // The keyboard reaches the slider.
    browser.press("#step", "\u{E011}");
    assert!(shown().starts_with("step 0 of"), "{}", shown());
    assert_eq!(browser.run(gone), 0);
    browser.click("#next");
    assert!(shown().starts_with("step 1 of"), "{}", shown());
    assert!(
        browser.run("return document.querySelectorAll('#original .now').length").as_u64()
            >= Some(1)
    );
    // Charts, tables, and both themes.
    assert_eq!(browser.run("return document.querySelectorAll('#charts svg .curve').length"), 2);
    assert!(
        browser.run("return document.querySelectorAll('#phases tbody tr').length").as_u64()
            >= Some(1)
    );
    assert!(
        browser.run("return document.querySelectorAll('#times .bar').length").as_u64() >= Some(1)
    );
    let back = "return getComputedStyle(document.body).backgroundColor";
    let before = browser.run(back);
    browser.click("#theme");
    assert_ne!(browser.run(back), before);
    let faults = browser.ask(
        "POST",
        &format!("/session/{}/se/log", browser.session),
        &json!({ "type": "browser" }),
    );
    assert_eq!(faults, json!([]), "the page has faults");
}
