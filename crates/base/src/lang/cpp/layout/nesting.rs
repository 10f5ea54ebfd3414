//! Where in the brackets and statements of a text a line is.

use super::spacing::Part;

/// The width of a level.
const LEVEL: usize = 2;
/// The further indentation of the lines of a list, and of a statement after its first.
const CONTINUED: usize = 4;

/// What follows a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The next part, on the same line.
    Next,
    /// The next part, on a line of its own.
    Break,
}

/// A kind of bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BracketKind {
    /// A namespace, which is not indented.
    Scope,
    /// The members of a type.
    Members,
    /// Statements.
    Block,
    /// Values in braces.
    Values,
    /// Arguments.
    Arguments,
    /// The condition of a statement.
    Condition,
}

/// An open bracket.
#[derive(Debug, Clone, Copy)]
struct Open {
    kind: BracketKind,
    /// The indentation of the line that opened it.
    base: usize,
    /// The indentation of the lines in it.
    inner: usize,
    /// The statement that it is in.
    statement: Option<Statement>,
}

/// A statement that has begun and not ended.
#[derive(Debug, Clone, Copy, Default)]
struct Statement {
    indent: usize,
    /// It declares a type or a namespace.
    declares: Option<BracketKind>,
    /// A line of it begins with the colon of a constructor's initializers.
    initializers: bool,
}

/// What the part before means for a brace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    /// A brace opens values.
    #[default]
    Value,
    /// `if`, `for` or `while`.
    Control,
    /// A brace opens a block: `)`, `override`, `else`, …
    Header,
}

/// Where in a text a line is.
#[derive(Debug, Clone, Default)]
pub(super) struct Nesting {
    open: Vec<Open>,
    statement: Option<Statement>,
    /// Conditions and loops without braces, whose statement follows.
    headers: usize,
    last: Last,
    /// The type that a lambda returns was begun.
    arrow: bool,
}

impl Nesting {
    /// A statement has begun and not ended.
    pub(super) fn goes_on(&self) -> bool {
        self.statement.is_some() || self.headers > 0
    }

    /// The innermost bracket is that of a namespace.
    pub(super) fn in_scope(&self) -> bool {
        matches!(self.open.last(), None | Some(Open { kind: BracketKind::Scope, .. }))
    }

    /// The innermost bracket is that of values.
    pub(super) fn in_values(&self) -> bool {
        matches!(self.open.last(), Some(Open { kind: BracketKind::Values, .. }))
    }

    /// The indentation of a line of these parts; of a comment, if there are none.
    pub(super) fn indent(&self, line: &[Part]) -> usize {
        let inner = self.open.last().map_or(0, |open| open.inner);
        match line {
            [Part { text: "}" | ")" | "]", .. }, ..] => self.open.last().map_or(0, |open| open.base),
            [access, Part { text: ":", .. }] if is_access(access) => inner.saturating_sub(LEVEL),
            _ => match self.statement {
                Some(statement) if statement.initializers => statement.indent + CONTINUED + LEVEL,
                Some(statement) => statement.indent + CONTINUED,
                None => inner + self.headers * LEVEL,
            },
        }
    }

    /// Goes past a part of a line with this indentation.
    pub(super) fn advance(&mut self, part: &Part, following: &[Part], indent: usize) -> Step {
        let last = std::mem::take(&mut self.last);
        let next = following.first().map(|part| part.text);
        match part.text {
            "(" | "[" => {
                self.begin(indent);
                self.push(if last == Last::Control { BracketKind::Condition } else { BracketKind::Arguments }, indent);
            }
            "{" => {
                let kind = self.brace(last);
                self.begin(indent);
                self.push(kind, indent);
                let empty = next.is_none_or(|next| next == "}" || next.starts_with("//"));
                return if kind == BracketKind::Values || empty { Step::Next } else { Step::Break };
            }
            ")" | "]" => return self.close(next),
            "}" => return self.close_brace(next),
            ";" if !self.in_list() => {
                self.statement = None;
                self.headers = 0;
                return Step::Break;
            }
            "else" => {
                self.statement = None;
                self.last = Last::Header;
                if next.is_none_or(|next| !matches!(next, "{" | "if")) {
                    self.headers += 1;
                    return if next.is_some() { Step::Break } else { Step::Next };
                }
            }
            comment if comment.starts_with("/*") => self.last = last,
            text => self.word(text, next, last, indent),
        }
        Step::Next
    }

    /// Ends a line.
    pub(super) fn end_of_line(&mut self, line: &[Part]) {
        let [first, ..] = line else { return };
        let last = line.iter().rfind(|part| !part.text.starts_with("//")).unwrap_or(first);
        let is_macro =
            |part: &Part| part.text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let complete = (first.text == "template" && last.text == ">")
            || (is_macro(first) && matches!(line.get(1), None | Some(Part { text: "(", .. })) && last.text == ")")
            || is_access(first) && last.text == ":";
        if complete && !self.in_list() {
            self.statement = None;
            self.last = Last::Value;
        }
        if let Some(statement) = &mut self.statement {
            statement.initializers |= first.text == ":";
        }
    }

    fn word(&mut self, text: &str, next: Option<&str>, last: Last, indent: usize) {
        self.begin(indent);
        self.last = match text {
            "if" | "for" | "while" => Last::Control,
            "constexpr" => last,
            "const" | "override" | "final" | "noexcept" | "do" | "try" | "mutable" => Last::Header,
            _ => Last::Value,
        };
        self.arrow = (self.arrow && !matches!(text, "," | "=")) || (text == "->" && last == Last::Header);
        let Some(statement) = &mut self.statement else { return };
        match text {
            "namespace" => statement.declares = Some(BracketKind::Scope),
            "struct" | "class" | "enum" => statement.declares = Some(BracketKind::Members),
            "extern" if next.is_some_and(|next| next.starts_with('"')) => statement.declares = Some(BracketKind::Scope),
            "=" => statement.declares = None,
            _ => {}
        }
    }

    /// The kind of a brace after that part.
    fn brace(&mut self, last: Last) -> BracketKind {
        let declared = self.statement.and_then(|statement| statement.declares);
        let arrow = std::mem::take(&mut self.arrow);
        match declared {
            Some(kind) => kind,
            None if last == Last::Header || arrow || (self.statement.is_none() && !self.in_list()) => {
                BracketKind::Block
            }
            None => BracketKind::Values,
        }
    }

    fn close(&mut self, next: Option<&str>) -> Step {
        let Some(open) = self.open.pop() else { return Step::Next };
        self.statement = open.statement;
        self.last = Last::Header;
        if open.kind == BracketKind::Condition && next != Some("{") && next != Some(";") {
            self.statement = None;
            self.headers += 1;
            return if next.is_some_and(|next| !next.starts_with("//")) { Step::Break } else { Step::Next };
        }
        Step::Next
    }

    fn close_brace(&mut self, next: Option<&str>) -> Step {
        let Some(open) = self.open.pop() else { return Step::Next };
        self.statement = open.statement;
        self.last = Last::Header;
        if matches!(open.kind, BracketKind::Values | BracketKind::Members) || self.in_list() {
            return Step::Next;
        }
        if let Some(";" | "," | "(" | ")" | ".") = next {
            return Step::Next;
        }
        self.statement = None;
        self.headers = 0;
        match next {
            None | Some("else" | "while") => Step::Next,
            Some(next) if next.starts_with("//") => Step::Next,
            Some(_) => Step::Break,
        }
    }

    /// Begins a statement, if none has begun.
    fn begin(&mut self, indent: usize) {
        if !self.in_list() && self.statement.is_none() {
            self.statement = Some(Statement { indent, ..Statement::default() });
        }
    }

    fn in_list(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Open { kind: BracketKind::Values | BracketKind::Arguments | BracketKind::Condition, .. })
        )
    }

    fn push(&mut self, kind: BracketKind, indent: usize) {
        // A block is at its statement, however many lines that has.
        let indent = match self.statement {
            Some(statement) if matches!(kind, BracketKind::Scope | BracketKind::Members | BracketKind::Block) => {
                statement.indent
            }
            _ => indent,
        };
        let inner = match kind {
            BracketKind::Scope => indent,
            BracketKind::Members | BracketKind::Block => indent + LEVEL,
            BracketKind::Values | BracketKind::Arguments | BracketKind::Condition => indent + CONTINUED,
        };
        let statement = self.statement.take();
        if matches!(kind, BracketKind::Scope | BracketKind::Members | BracketKind::Block) {
            self.headers = 0;
        }
        self.open.push(Open { kind, base: indent, inner, statement });
    }
}

fn is_access(part: &Part) -> bool {
    matches!(part.text, "public" | "protected" | "private")
}
