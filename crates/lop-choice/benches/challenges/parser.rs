//! The challenge of the language whose parser and printer disagree.

use std::fmt;

use lop_choice::Source;

/// What is left at best.
pub(crate) const NORMAL: &str = "[] a((and false true)) {}";

enum Expression {
    Integer(i64),
    Boolean(bool),
    Not(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Integer(value) => write!(f, "{value}"),
            Expression::Boolean(value) => write!(f, "{value}"),
            Expression::Not(of) => write!(f, "(not {of})"),
            Expression::Binary(sign, left, right) => write!(f, "({sign} {left} {right})"),
        }
    }
}

impl Expression {
    fn size(&self) -> usize {
        match self {
            Expression::Integer(_) | Expression::Boolean(_) => 1,
            Expression::Not(of) => 1 + of.size(),
            Expression::Binary(_, left, right) => 1 + left.size() + right.size(),
        }
    }

    /// What is read after it was written: and and or become and, with their operands exchanged.
    fn read(&self) -> String {
        match self {
            Expression::Not(of) => format!("(not {})", of.read()),
            Expression::Binary("and" | "or", left, right) => {
                format!("(and {} {})", right.read(), left.read())
            }
            Expression::Binary(sign, left, right) => {
                format!("({sign} {} {})", left.read(), right.read())
            }
            leaf => leaf.to_string(),
        }
    }
}

const SIGNS: [&str; 6] = ["and", "or", "add", "sub", "mul", "div"];

fn expression(s: &mut Source, depth: u32) -> Expression {
    s.span("expression", |s| {
        if depth == 0 {
            return match s.boolean(0.5) {
                true => Expression::Integer(s.integer(..)),
                false => Expression::Boolean(s.boolean(0.5)),
            };
        }
        let below = s.integer(0..depth);
        match s.integer(0..=60_usize) {
            0 => Expression::Not(Box::new(expression(s, below))),
            sign => {
                let left = expression(s, below);
                let right = expression(s, below);
                Expression::Binary(SIGNS[(sign - 1) / 10], Box::new(left), Box::new(right))
            }
        }
    })
}

fn any_expression(s: &mut Source) -> Expression {
    s.span("expression", |s| {
        let depth = s.integer(0..=100);
        expression(s, depth)
    })
}

fn name(s: &mut Source) -> String {
    s.draw(|s: &mut Source| s.text_of("abcdefghijklmnopqrstuvwxyz0123456789", 1..))
}

struct Function {
    name: String,
    arguments: Vec<Expression>,
    statements: Vec<(String, Expression)>,
}

fn statement(s: &mut Source) -> (String, Expression) {
    match s.integer(0..=2) {
        0 => ("return".into(), any_expression(s)),
        1 => (format!("{} =", name(s)), any_expression(s)),
        _ => (format!("alloc {}", name(s)), any_expression(s)),
    }
}

pub(crate) fn holds(s: &mut Source) -> bool {
    let modules = s.list(.., |s| (s.list(.., name), s.list(.., name)));
    let functions = s.list(.., |s| Function {
        name: name(s),
        arguments: s.list(.., any_expression),
        statements: s.list(.., |s| s.draw(statement)),
    });
    let expressions: Vec<&Expression> = functions
        .iter()
        .flat_map(|function| {
            function.arguments.iter().chain(function.statements.iter().map(|(_, it)| it))
        })
        .collect();
    let shown: Vec<String> = functions
        .iter()
        .map(|function| {
            let arguments: Vec<String> =
                function.arguments.iter().map(ToString::to_string).collect();
            let statements: Vec<String> =
                function.statements.iter().map(|(head, it)| format!("{head} {it}")).collect();
            format!("{}({}) {{{}}}", function.name, arguments.join(", "), statements.join("; "))
        })
        .collect();
    let size = modules.len() + expressions.iter().map(|it| it.size()).sum::<usize>();
    super::challenge::note(s, format!("{modules:?} {}", shown.join(" ")), size);
    expressions.iter().all(|it| it.to_string() == it.read())
}
