//! The parser: makes the same tree of a text as ANTLR's parser.
//!
//! It walks through the automaton of the start rule, with an explicit stack, and asks for a prediction wherever there
//! is a choice. If a token does not fit, it recovers as ANTLR's default strategy does: a superfluous token is skipped,
//! a missing one is assumed; otherwise tokens are skipped until some rule on the stack can continue with the next one,
//! and the rule ends.

use crate::atn::{Atn, Edge, Precedence, StateId, TokenSet};
use crate::grammar::{EOF, Grammar, TokenType};
use crate::lexer::{self, Lexer, Token};
use crate::predict::{self, Caller, Predictor};
use crate::problem::Problem;

/// A grammar, compiled.
#[derive(Debug)]
pub struct Parser {
    grammar: Grammar,
    lexer: Lexer,
    atn: Atn,
}

/// The lexer's and the parser's knowledge about texts so far. Only one thread can use it at a time.
#[derive(Debug, Default)]
pub struct Cache {
    lexer: lexer::Cache,
    predictions: predict::Cache,
}

/// A text, parsed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// All tokens of the text, the hidden ones, too.
    pub tokens: Vec<Token>,
    /// The nodes, in pre-order.
    pub nodes: Vec<Node>,
    /// The tokens that did not fit, by their numbers, in ascending order.
    pub errors: Vec<usize>,
    /// Whether the start rule accepts a beginning of the text: it does not require the end, so the first error is after
    /// its own end. ANTLR leaves the rest unread.
    pub is_beginning: bool,
    /// The rule in which the parser gave up, if the text took too much work.
    pub gave_up_in: Option<usize>,
    /// The work of prediction: a measure of the time that depends on the text and on the content of the cache, not on
    /// the machine.
    pub work: u64,
}

/// A node of a parse tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// Its kind.
    pub what: NodeKind,
    /// The number of its field in [`Parser::field_name`]; 0 is none.
    pub field: u16,
    /// The number of nodes below it.
    pub below: u32,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A rule, by its number.
    Rule(u16),
    /// A token, by its number among all tokens of the text.
    Token(u32),
    /// A token that does not fit.
    Error(u32),
    /// A token that is missing here, by its type.
    Missing(TokenType),
}

/// The work that a text may take, and the additional work for each token. A unit is some 10 ns, so this is 2 s and 0.2
/// ms. A usual token takes 10 to 1,000 units; one in deep calls takes more, since each decision looks ahead to its
/// closing bracket.
const WORK: u64 = 200_000_000;
const WORK_PER_TOKEN: u64 = 20_000;
/// The most rules that are open at the same time.
const DEEPEST: usize = 1_000_000;
/// The most steps without a token, in addition to one for each state.
const MOST_IDLE: usize = 100_000;

impl Parser {
    /// Compiles a grammar.
    ///
    /// # Errors
    ///
    /// If rules are left-recursive through other rules.
    pub fn new(grammar: Grammar) -> Result<Parser, Vec<Problem>> {
        let lexer = Lexer::new(&grammar);
        let atn = Atn::new(&grammar)?;
        Ok(Parser { grammar, lexer, atn })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The name of a field.
    pub fn field_name(&self, field: u16) -> &str {
        &self.atn.fields[usize::from(field)]
    }

    /// The number of fields, including number 0, which is no field.
    pub fn field_count(&self) -> usize {
        self.atn.fields.len()
    }

    /// A tree as ANTLR prints it: `(rule child child)`, tokens unchanged.
    pub fn drawn(&self, parsed: &Parsed, text: &[u8]) -> String {
        let mut drawn = String::new();
        // The ends of the open rules.
        let mut open: Vec<usize> = Vec::new();
        for (number, node) in parsed.nodes.iter().enumerate() {
            while open.pop_if(|end| *end <= number).is_some() {
                drawn.push(')');
            }
            if !drawn.is_empty() {
                drawn.push(' ');
            }
            match node.what {
                NodeKind::Rule(rule) => {
                    let name = &self.grammar.rules[usize::from(rule)].name.text;
                    if node.below > 0 {
                        drawn.push('(');
                        open.push(number + 1 + node.below as usize);
                    }
                    drawn.push_str(name);
                }
                NodeKind::Token(token) | NodeKind::Error(token) => {
                    let token = parsed.tokens[token as usize];
                    let text = &text[token.start as usize..token.end as usize];
                    let text = String::from_utf8_lossy(text);
                    let text = text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
                    drawn.push_str(&text);
                }
                NodeKind::Missing(token) => {
                    drawn.push_str(&format!(
                        "<missing {}>",
                        self.grammar.tokens.names[usize::from(token)]
                    ));
                }
            }
        }
        drawn.extend(open.iter().map(|_| ')'));
        drawn
    }

    /// Parses a text with a rule. Every text has a tree; tokens that do not fit are errors in it.
    pub fn parse(&self, text: &[u8], rule: usize, cache: &mut Cache) -> Parsed {
        let tokens = self.lexer.run(text, &mut cache.lexer);
        let seen: Vec<u32> =
            (0..tokens.len() as u32).filter(|number| !tokens[*number as usize].is_hidden).collect();
        let kinds: Vec<TokenType> =
            seen.iter().map(|number| tokens[*number as usize].kind).collect();
        let predictor = Predictor {
            atn: &self.atn,
            tokens: &kinds,
            cache: &mut cache.predictions,
            work: 0,
            limit: WORK + WORK_PER_TOKEN * kinds.len() as u64,
            could_end: false,
        };
        let mut run = Run {
            predictor,
            atn: &self.atn,
            kinds: &kinds,
            at: 0,
            frames: Vec::new(),
            callers: Vec::new(),
            idle: 0,
            last_error: None,
            errors: Vec::new(),
            is_beginning: false,
            gave_up_in: None,
        };
        let root = run.run(rule);
        let errors = std::mem::take(&mut run.errors).into_iter();
        let errors =
            errors.map(|at| seen.get(at).map_or(tokens.len(), |number| *number as usize)).collect();
        let Run { is_beginning, gave_up_in, predictor: Predictor { work, .. }, .. } = run;
        Parsed { nodes: flatten(root, &seen), tokens, errors, is_beginning, gave_up_in, work }
    }
}

/// A node while the tree is made.
struct Growing {
    what: GrowingKind,
    field: u16,
}

enum GrowingKind {
    Rule(u16, Vec<Growing>),
    Token(usize),
    Error(usize),
    Missing(TokenType),
}

/// A rule that is being parsed.
struct Frame {
    rule: u16,
    state: StateId,
    precedence: Precedence,
    /// Its field in the caller.
    field: u16,
    children: Vec<Growing>,
    /// Whether the rule ends because of an error.
    is_lost: bool,
}

struct Run<'p> {
    predictor: Predictor<'p>,
    atn: &'p Atn,
    kinds: &'p [TokenType],
    at: usize,
    frames: Vec<Frame>,
    /// The calls of all frames except the innermost, as prediction needs them.
    callers: Vec<Caller>,
    /// The steps since the last token: a loop over only the end of the text would run for ever.
    idle: usize,
    /// The place of the last error that ended a rule.
    last_error: Option<usize>,
    errors: Vec<usize>,
    is_beginning: bool,
    gave_up_in: Option<usize>,
}

impl Run<'_> {
    fn token(&self) -> TokenType {
        self.kinds.get(self.at).copied().unwrap_or(EOF)
    }

    fn run(&mut self, rule: usize) -> Growing {
        self.frames.push(self.frame(rule as u16, 0, 0));
        loop {
            let frame = self.frames.last().expect("a frame is open until the end");
            let is_over = self.predictor.work > self.predictor.limit
                || self.frames.len() > DEEPEST
                || self.idle > MOST_IDLE + self.atn.states.len();
            if is_over && self.gave_up_in.is_none() {
                self.gave_up_in = Some(frame.rule.into());
                self.errors.push(self.at);
                self.top().children.push(Growing { what: GrowingKind::Missing(EOF), field: 0 });
                continue;
            }
            if frame.is_lost
                || self.gave_up_in.is_some()
                || self.atn.states[frame.state as usize].is_stop
            {
                if let Some(root) = self.leave() {
                    return root;
                }
                continue;
            }
            self.step();
        }
    }

    fn frame(&self, rule: u16, precedence: Precedence, field: u16) -> Frame {
        let state = self.atn.starts[usize::from(rule)];
        Frame { rule, state, precedence, field, children: Vec::new(), is_lost: false }
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is open until the end")
    }

    /// Ends the innermost rule, or the root if it was the last. The rest of the text does not fit.
    fn leave(&mut self) -> Option<Growing> {
        let mut frame = self.frames.pop()?;
        self.callers.pop();
        if self.frames.is_empty() {
            self.is_beginning |= self.errors.is_empty() && self.at < self.kinds.len();
            while self.at < self.kinds.len() {
                self.errors.push(self.at);
                frame.children.push(Growing { what: GrowingKind::Error(self.at), field: 0 });
                self.at += 1;
            }
        }
        let node =
            Growing { what: GrowingKind::Rule(frame.rule, frame.children), field: frame.field };
        match self.frames.last_mut() {
            None => Some(node),
            Some(outer) => {
                outer.children.push(node);
                None
            }
        }
    }

    fn step(&mut self) {
        self.idle += 1;
        let frame = self.frames.last().expect("a frame is open until the end");
        let (state, precedence) = (frame.state, frame.precedence);
        let edges = &self.atn.states[state as usize].edges;
        let edge = match &edges[..] {
            [only] => only,
            _ => match self.predictor.predict(state, self.at, precedence, &self.callers) {
                Some(alternative) => &edges[usize::from(alternative)],
                None => {
                    self.is_beginning |= self.errors.is_empty() && self.predictor.could_end;
                    return self.recover();
                }
            },
        };
        match edge {
            Edge::To(to) => self.top().state = *to,
            Edge::If(least, to) if *least >= precedence => self.top().state = *to,
            Edge::If(..) => self.recover(),
            Edge::Wrap(to) => {
                let (to, frame) = (*to, self.top());
                let inner = std::mem::take(&mut frame.children);
                frame
                    .children
                    .push(Growing { what: GrowingKind::Rule(frame.rule, inner), field: 0 });
                frame.state = to;
            }
            Edge::Take(set, to) => self.take(&self.atn.sets[*set as usize], *to),
            Edge::Call { rule, precedence: least, back } => {
                let field = self.atn.states[state as usize].field;
                self.callers.push(Caller { back: *back, precedence });
                let frame = self.frame(*rule, *least, field);
                self.top().state = *back;
                self.frames.push(frame);
            }
        }
    }

    fn take(&mut self, set: &TokenSet, to: StateId) {
        let field = self.atn.states[self.top().state as usize].field;
        let token = self.token();
        if set.has(token) {
            let at = self.at;
            let frame = self.top();
            frame.state = to;
            // The end of the text has no node, since it has no text.
            if token != EOF || at < self.kinds.len() {
                self.top().children.push(Growing { what: GrowingKind::Token(at), field });
                self.at += 1;
                self.idle = 0;
            }
            return;
        }
        let next = self.kinds.get(self.at + 1).copied().unwrap_or(EOF);
        if self.at < self.kinds.len() && set.has(next) {
            return self.skip();
        }
        let fits_behind = self.atn.first[to as usize].has(token);
        if fits_behind && self.last_error != Some(self.at) {
            self.errors.push(self.at);
            self.last_error = Some(self.at);
            let missing = set.first().unwrap_or(EOF);
            let frame = self.top();
            frame.children.push(Growing { what: GrowingKind::Missing(missing), field });
            frame.state = to;
            return;
        }
        self.recover();
    }

    /// Skips a token that does not fit.
    fn skip(&mut self) {
        let at = self.at;
        self.errors.push(at);
        self.top().children.push(Growing { what: GrowingKind::Error(at), field: 0 });
        self.at += 1;
    }

    /// Skips tokens until a rule on the stack can continue. If that isn't the innermost rule, at a choice, the
    /// innermost rule ends.
    fn recover(&mut self) {
        if self.errors.last() != Some(&self.at) {
            self.errors.push(self.at);
        }
        let start = self.at;
        // The same error again: without a step forward, recovery would never end.
        if self.last_error == Some(self.at) && self.at < self.kinds.len() {
            self.skip();
        }
        let state = self.top().state as usize;
        let chooses = self.atn.states[state].edges.len() > 1;
        let fits_here = |token: TokenType| chooses && self.atn.first[state].has(token);
        let callers = self.frames.len() - 1;
        // Distant frames add little, and with a deep stack each error would cost the whole depth.
        let near = self.frames[..callers].iter().rev().take(200).map(|frame| frame.state as usize);
        let follows: Vec<usize> = near.collect();
        let fits_there = |token| follows.iter().any(|state| self.atn.first[*state].has(token));
        let rest = &self.kinds[self.at..];
        let skipped =
            rest.iter().take_while(|token| !fits_here(**token) && !fits_there(**token)).count();
        let fits_here = rest.get(skipped).is_some_and(|token| fits_here(*token));
        (0..skipped).for_each(|_| self.skip());
        self.last_error = Some(self.at);
        if self.at == start {
            // Only a missing token marks the error.
            let expected = &self.atn.first[state];
            let missing = expected.first().unwrap_or(EOF);
            self.top().children.push(Growing { what: GrowingKind::Missing(missing), field: 0 });
        }
        self.top().is_lost = !fits_here || self.at == start;
    }
}

/// The nodes in pre-order.
fn flatten(root: Growing, seen: &[u32]) -> Vec<Node> {
    enum Task {
        Open(Growing),
        Close(usize),
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut open = vec![Task::Open(root)];
    while let Some(task) = open.pop() {
        match task {
            Task::Close(node) => nodes[node].below = (nodes.len() - node - 1) as u32,
            Task::Open(Growing { what, field }) => {
                let (what, children) = match what {
                    GrowingKind::Rule(rule, children) => (NodeKind::Rule(rule), children),
                    GrowingKind::Token(at) => (NodeKind::Token(seen[at]), Vec::new()),
                    GrowingKind::Error(at) => (NodeKind::Error(seen[at]), Vec::new()),
                    GrowingKind::Missing(token) => (NodeKind::Missing(token), Vec::new()),
                };
                open.push(Task::Close(nodes.len()));
                nodes.push(Node { what, field, below: 0 });
                open.extend(children.into_iter().rev().map(Task::Open));
            }
        }
    }
    nodes
}
