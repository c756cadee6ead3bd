//! `lop init`: writes a test for a usual situation, and tries it.

use std::fs;
use std::io::{BufRead, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::args::{InitArgs, Situation};
use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::reading::{cure, read};
use crate::view::{print, say};

/// The questions for a situation, and the test that is written.
struct Template {
    situation: Situation,
    about: &'static str,
    text: &'static str,
}

const TEMPLATES: [Template; 6] = [
    Template {
        situation: Situation::Crash,
        about: "a program crashes or prints an error",
        text: include_str!("crash.sh"),
    },
    Template {
        situation: Situation::Exception,
        about: "a program ends with an exception or a panic",
        text: include_str!("crash.sh"),
    },
    Template {
        situation: Situation::Output,
        about: "a program prints something else than another one",
        text: include_str!("output.sh"),
    },
    Template {
        situation: Situation::Hang,
        about: "a program takes too long",
        text: include_str!("hang.sh"),
    },
    Template {
        situation: Situation::Server,
        about: "a server or a browser fails when it gets the file",
        text: include_str!("server.sh"),
    },
    Template {
        situation: Situation::Fuzz,
        about: "a fuzz target fails",
        text: include_str!("fuzz.sh"),
    },
];
const GUARDS: &str = include_str!("guards.sh");

/// Writes a test, tries it on the file, and prints the next step.
pub(crate) fn init(args: &InitArgs) -> Result<Code, Failure> {
    let test = &args.output;
    if test.exists() && !args.force {
        let message = format!("`{}` exists", test.display());
        return Err(Failure::new(Code::Output, message)
            .help("choose another name with -o, or overwrite it with --force"));
    }
    let input = read(&args.file).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", args.file.display());
        Failure::new(Code::Input, message).help(cure(&error))
    })?;
    let situation = match args.situation {
        Some(situation) => situation,
        None => asked_situation()?,
    };
    let text = written(args, situation)?;
    let failed = |error: std::io::Error| {
        Failure::new(Code::Output, format!("cannot write `{}`: {error}", test.display()))
            .help(cure(&error))
    };
    fs::write(test, text).map_err(failed)?;
    fs::set_permissions(test, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    print(&format!("wrote {}", test.display()));
    let is_accepted = tried(test, &args.file, &input)?;
    let (shown, file) = (quoted(script(test)), quoted(&args.file));
    if !is_accepted {
        let message = format!("`{}` does not accept `{}`", test.display(), args.file.display());
        return Err(Failure::new(Code::NotInteresting, message).help(format!(
            "edit it until it does; this shows what it does in a directory with a copy of the file:\n\
             dir=$(mktemp -d) && cp {file} $dir && (cd $dir && sh -x {})",
            quoted(std::path::absolute(test).unwrap_or_default())
        )));
    }
    print(&format!(
        "it accepts {file}\nexamine the test:  lop doctor {shown} {file}\nreduce the file:   lop {shown} {file}"
    ));
    Ok(Code::Done)
}

/// The path of a script, as a command.
fn script(test: &Path) -> std::path::PathBuf {
    if test.components().count() == 1 { Path::new(".").join(test) } else { test.to_owned() }
}

/// The text of the test.
fn written(args: &InitArgs, situation: Situation) -> Result<String, Failure> {
    let template = TEMPLATES.iter().find(|it| it.situation == situation);
    let template = template.expect("each situation has a template");
    let name = args.file.file_name().unwrap_or(args.file.as_os_str());
    let file = quoted(name);
    let command =
        |given: &Option<String>, option: &str, question: &str| -> Result<String, Failure> {
            let command = answer(given, option, question)?;
            Ok(limited(command.replace("{}", &file)))
        };
    let needs = |place: &str| template.text.contains(place);
    let mut text = template.text.to_owned();
    if needs("@GUARDS@") {
        let is_c = args.file.extension().is_some_and(|it| it == "c");
        text = text.replace("@GUARDS@", if is_c { GUARDS } else { "" });
    }
    if needs("@COMMAND@") {
        let command = command(&args.command, "--command", "The command, with {} for the file")?;
        text = text.replace("@COMMAND@", &command);
    }
    if needs("@AGAINST@") {
        let against = command(&args.against, "--against", "The command to compare with")?;
        text = text.replace("@AGAINST@", &against);
    }
    if needs("@MESSAGE@") {
        let message = answer(&args.message, "--message", "A part of what it prints when it fails")?;
        text = text.replace("@MESSAGE@", &quoted(message));
    }
    Ok(text.replace("@SECONDS@", &args.seconds.to_string()).replace("@FILE@", &file))
}

/// A command as `timeout` runs it, whole: several commands are run by a shell.
fn limited(command: String) -> String {
    let first = command.split_whitespace().next().unwrap_or_default();
    let is_one = !command.contains(['|', '&', ';', '<', '>', '(', '`', '$', '\n'])
        && !first.contains('=')
        && first != "cd";
    if is_one { command } else { format!("sh -c {}", quoted(command)) }
}

/// A given answer, or that of the user.
fn answer(given: &Option<String>, option: &str, question: &str) -> Result<String, Failure> {
    match given {
        Some(given) => Ok(given.clone()),
        None => ask(question).ok_or_else(|| {
            Failure::new(Code::Usage, format!("{option} is missing"))
                .help("lop help init explains it")
        }),
    }
}

/// Asks the user, if there is one at a terminal.
fn ask(question: &str) -> Option<String> {
    if !std::io::stdin().is_terminal() {
        return None;
    }
    let _ = write!(std::io::stderr(), "{question}: ");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    Some(line.trim().to_owned()).filter(|answer| !answer.is_empty())
}

fn asked_situation() -> Result<Situation, Failure> {
    for (index, template) in TEMPLATES.iter().enumerate().filter(|_| std::io::stdin().is_terminal())
    {
        say(&format!("  {}  {}", index + 1, template.about));
    }
    let chosen = ask("What happens").and_then(|answer| answer.parse::<usize>().ok());
    let template = chosen.and_then(|number| TEMPLATES.get(number.checked_sub(1)?));
    template.map(|template| template.situation).ok_or_else(|| {
        Failure::new(Code::Usage, "the situation is missing")
            .help("name it with --for: crash, exception, output, hang, server or fuzz")
    })
}

/// Whether the test accepts the file, in a private directory as in a run.
fn tried(test: &Path, file: &Path, input: &[u8]) -> Result<bool, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Code::Test, format!("cannot try the test: {error}")).help(cure(&error))
    };
    let directory = tempfile::tempdir().map_err(failed)?;
    let name = file.file_name().unwrap_or(file.as_os_str());
    fs::write(directory.path().join(name), input).map_err(failed)?;
    let test = std::path::absolute(test).map_err(failed)?;
    let status = Command::new(test)
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(failed)?;
    Ok(status.success())
}
