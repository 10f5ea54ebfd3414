//! Builds nodes from parser events: anchors and aliases, tags, places.
//!
//! Invariant: the depth and the expanded size of a document are bounded. `mapping` checks the keys
//! of mappings.

use std::collections::HashMap;

use super::libyaml::{EventKind, Events, Properties, SyntaxError};
use super::resolve::{Resolved, plain, tag_of, tagged};
use super::slips::slip;
use super::tree::{Duplicates, Node, NodeKind, Options, WRONG};
use super::{Style, Text, mapping};
use crate::diag::{Diagnostic, Diagnostics, FileId, Span, codes};

/// The maximum nesting of lists and mappings.
pub(super) const MAX_DEPTH: usize = 64;
/// The maximum number of nodes in a document, expanded aliases included.
const MAX_NODES: usize = 1_000_000;
/// Blanks and line breaks; the line breaks start at the third.
const BLANKS: [char; 7] = [' ', '\t', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The starts of lines that mark a merge conflict of git.
const CONFLICT_MARKERS: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];

/// The result of reading a document. `stopped_at` is set after a syntax error.
pub(super) struct Outcome {
    pub(super) node: Option<Node>,
    pub(super) stopped_at: Option<usize>,
}

/// Reads documents. Anchors of one are known in the next, which may be the rest of a file after a
/// syntax error.
pub(super) struct Builder<'a> {
    file: FileId,
    text: &'a str,
    options: Options,
    diagnostics: &'a mut Diagnostics,
    anchors: HashMap<String, Anchor>,
    /// Nodes so far, expanded aliases included.
    nodes: usize,
}

/// The node that an anchor names; none while it is being read.
struct Anchor {
    span: Span,
    node: Option<(Node, usize)>,
}

/// A collection that is being read.
struct Frame {
    kind: FrameKind,
    start: usize,
    flow: bool,
    tag: Option<Box<str>>,
    anchor: Option<String>,
    /// The number of nodes before it.
    nodes_before: usize,
}

enum FrameKind {
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>, Option<Node>),
}

impl<'a> Builder<'a> {
    /// A builder without anchors.
    pub(super) fn new(file: FileId, text: &'a str, options: Options, diagnostics: &'a mut Diagnostics) -> Builder<'a> {
        Builder { file, text, options, diagnostics, anchors: HashMap::new(), nodes: 0 }
    }

    /// Reads the document that starts at byte `from`.
    pub(super) fn document(&mut self, from: usize) -> Outcome {
        let Some(mut events) = Events::new(&self.text[from..]) else {
            self.limit(Span::new(self.file, from, from), "out of memory".to_owned());
            return Outcome { node: None, stopped_at: Some(from) };
        };
        let mut stack: Vec<Frame> = Vec::new();
        let mut root: Option<Node> = None;
        let mut document_start = Span::new(self.file, from, from);
        // The start of the current entry, to continue after it.
        let mut entry_start = from;
        // The last scalar, if it is quoted.
        let mut quoted = None;
        loop {
            let event = match events.next() {
                Ok(event) => event,
                Err(error) => {
                    let at = from + error.at;
                    self.syntax_error(error, from, quoted);
                    // An entry on the line of the error is a part of what cannot be read.
                    if let Some(Frame { kind: FrameKind::Sequence(items), .. }) = stack.first_mut()
                        && items
                            .last()
                            .and_then(|last| self.text.get(last.span.end as usize..at))
                            .is_some_and(|between| !between.contains('\n'))
                    {
                        items.pop();
                    }
                    return Outcome { node: root.or_else(|| self.unwind(stack)), stopped_at: Some(entry_start) };
                }
            };
            let (start, end) = (from + event.start, from + event.end);
            if stack.len() == 1 {
                entry_start = entry_start.max(start);
            }
            let span = Span::new(self.file, start, end);
            let in_quotes = |style| matches!(style, Style::SingleQuoted | Style::DoubleQuoted);
            quoted = matches!(event.kind, EventKind::Scalar { style, .. } if in_quotes(style)).then_some(span);
            let done = match event.kind {
                EventKind::Other => continue,
                EventKind::StreamEnd => {
                    return Outcome { node: Some(root.unwrap_or_else(|| null(span))), stopped_at: None };
                }
                EventKind::DocumentStart if root.is_some() => {
                    self.diagnostics.push(
                        Diagnostic::new(&codes::YAML_SYNTAX, "expected a single document in the stream")
                            .at_with(span, "but found another document")
                            .also(document_start, "the first document"),
                    );
                    return Outcome { node: root, stopped_at: None };
                }
                EventKind::DocumentStart => {
                    document_start = span;
                    continue;
                }
                EventKind::SequenceStart { flow, properties } => {
                    stack.push(self.open(FrameKind::Sequence(Vec::new()), flow, properties, span));
                    None
                }
                EventKind::MappingStart { flow, properties } => {
                    stack.push(self.open(FrameKind::Mapping(Vec::new(), None), flow, properties, span));
                    None
                }
                EventKind::SequenceEnd => stack.pop().map(|frame| self.close(frame, end)),
                EventKind::MappingEnd => stack.pop().map(|mut frame| {
                    if let Some(Frame { kind: FrameKind::Sequence(entries), flow: false, .. }) = stack.last_mut() {
                        entries.extend(self.entries_before(&mut frame));
                    }
                    self.close(frame, end)
                }),
                EventKind::Alias(name) => Some(self.alias(&name, span)),
                EventKind::Scalar { value, style, plain, properties } => {
                    let forced = (plain != (style == Style::Plain)).then_some(plain);
                    Some(self.scalar(value, style, forced, properties, span))
                }
            };
            if stack.len() > MAX_DEPTH {
                self.limit(span, format!("lists and mappings are nested more than {MAX_DEPTH} deep"));
                return Outcome { node: self.unwind(stack), stopped_at: Some(entry_start) };
            }
            if self.nodes > MAX_NODES {
                self.limit(span, format!("the document has more than {MAX_NODES} nodes once its aliases are expanded"));
                return Outcome { node: None, stopped_at: Some(entry_start) };
            }
            let Some(mut node) = done else { continue };
            let is_key = matches!(stack.last(), Some(Frame { kind: FrameKind::Mapping(_, None), .. }));
            if !is_key && node.as_text().is_some_and(|text| matches!(text.as_str(), "<<" | "=")) {
                self.key_as_value(&mut node);
            }
            match stack.last_mut().map(|frame| &mut frame.kind) {
                None => root = Some(node),
                Some(FrameKind::Sequence(items)) => items.push(node),
                Some(FrameKind::Mapping(pairs, key)) => match key.take() {
                    Some(key) => pairs.push((key, node)),
                    None => *key = Some(node),
                },
            }
        }
    }

    /// The complete entries of the outermost list when reading stopped.
    fn unwind(&mut self, stack: Vec<Frame>) -> Option<Node> {
        let frame = stack.into_iter().next()?;
        match frame.kind {
            FrameKind::Sequence(items) if !frame.flow => {
                let span = Span::new(self.file, frame.start, frame.start + 1);
                Some(Node { span, tag: None, kind: NodeKind::Sequence(items) })
            }
            _ => None,
        }
    }

    fn open(&mut self, kind: FrameKind, flow: bool, properties: Properties, span: Span) -> Frame {
        let Properties { anchor, tag } = properties;
        self.nodes += 1;
        if let Some(anchor) = &anchor {
            let start = span.start as usize;
            self.anchor(anchor, Span::new(self.file, start, start + 1 + anchor.len()), None);
        }
        let wanted = match kind {
            FrameKind::Sequence(_) => "tag:yaml.org,2002:seq",
            FrameKind::Mapping(..) => "tag:yaml.org,2002:map",
        };
        if let Some(tag) = &tag
            && tag != wanted
            && tag != "!"
        {
            self.bad_tag(tag, span);
        }
        Frame { kind, start: span.start as usize, flow, tag: tag.map(Into::into), anchor, nodes_before: self.nodes }
    }

    /// Takes entries out of an entry in which the first key comes again: the dash of the next entry
    /// is missing.
    fn entries_before(&mut self, frame: &mut Frame) -> Vec<Node> {
        let mut entries = Vec::new();
        let FrameKind::Mapping(pairs, None) = &mut frame.kind else { return entries };
        if frame.flow || frame.anchor.is_some() || self.options.duplicates != Duplicates::Reject {
            return entries;
        }
        let name = |key: &Node| key.as_text().map(|text| text.as_str().to_owned());
        let Some((first, wanted)) = pairs.first().and_then(|(key, _)| Some((key.span, name(key)?))) else {
            return entries;
        };
        while let Some(at) = pairs.iter().skip(1).position(|(key, _)| name(key).as_deref() == Some(wanted.as_str())) {
            let next = pairs.split_off(at + 1);
            let before = std::mem::replace(pairs, next);
            let Some(((_, last), (again, _))) = before.last().zip(pairs.first()) else { break };
            self.diagnostics.push(
                Diagnostic::new(&codes::DUPLICATE_KEY, format!("duplicate key `{wanted}`"))
                    .at(again.span)
                    .also(first, "first here")
                    .help(format!("begin the next entry with `- {wanted}:`, or delete one of the keys")),
            );
            let end = (last.span.end as usize).clamp(frame.start, again.span.start as usize);
            let span = Span::new(self.file, frame.start, end);
            frame.start = again.span.start as usize;
            let kind = NodeKind::Mapping(mapping::settle(before, self.options, self.diagnostics));
            entries.push(Node { span, tag: None, kind });
        }
        entries
    }

    fn close(&mut self, frame: Frame, end: usize) -> Node {
        let Frame { kind, start, flow, tag, anchor, nodes_before } = frame;
        let (kind, last) = match kind {
            FrameKind::Sequence(items) => {
                let last = items.last().map(|node| node.span);
                (NodeKind::Sequence(items), last)
            }
            FrameKind::Mapping(pairs, _) => {
                let last = pairs.last().map(|(_, value)| value.span);
                (NodeKind::Mapping(mapping::settle(pairs, self.options, self.diagnostics)), last)
            }
        };
        // The children of an alias are elsewhere; they cannot extend the span.
        let end = match last {
            Some(last) if !flow => (last.end as usize).clamp(start, end.max(start)),
            _ => end,
        };
        let node = Node { span: Span::new(self.file, start, end), tag, kind };
        if let Some(anchor) = anchor
            && let Some(known) = self.anchors.get_mut(&anchor)
        {
            known.node = Some((node.clone(), self.nodes - nodes_before + 1));
        }
        node
    }

    fn anchor(&mut self, name: &str, span: Span, node: Option<(Node, usize)>) {
        if let Some(first) = self.anchors.insert(name.to_owned(), Anchor { span, node }) {
            self.diagnostics.push(
                Diagnostic::new(&codes::YAML_ALIAS, format!("found duplicate anchor `{name}`"))
                    .at_with(span, "second occurrence")
                    .also(first.span, "first occurrence"),
            );
        }
    }

    fn alias(&mut self, name: &str, span: Span) -> Node {
        self.nodes += 1;
        let message = match self.anchors.get(name) {
            Some(Anchor { node: Some((node, size)), .. }) => {
                self.nodes += size;
                if self.nodes > MAX_NODES {
                    return null(span);
                }
                return node.clone();
            }
            Some(_) => format!("alias `{name}` is used inside the node that it names"),
            None => format!("found undefined alias `{name}`"),
        };
        self.diagnostics.push(Diagnostic::new(&codes::YAML_ALIAS, message).at(span));
        Node { tag: Some(WRONG.into()), ..null(span) }
    }

    /// `forced` is set if a bare `!` makes the type independent of the style: as for a plain
    /// scalar, or a string.
    fn scalar(
        &mut self,
        value: String,
        style: Style,
        forced: Option<bool>,
        properties: Properties,
        span: Span,
    ) -> Node {
        let Properties { anchor, tag } = properties;
        self.nodes += 1;
        // With an anchor or tag the event starts there, before the scalar.
        let start = if anchor.is_none() && tag.is_none() { span.start as usize } else { self.skip_properties(span) };
        let span = Span::new(self.file, start, span.end as usize);
        let mut tag = tag.filter(|tag| tag != "!").map(String::into_boxed_str);
        if tag.is_none() {
            tag = match forced {
                None => None,
                Some(true) => tag_of(&plain(&value)).map(Into::into),
                Some(false) => Some("tag:yaml.org,2002:str".into()),
            };
        }
        let raw = self.text.get(span.range()).unwrap_or("");
        let text = Text::new(value, raw, span, style);
        if let Some(name) = &tag
            && tagged(name, &text).is_none()
        {
            self.bad_tag(name, span);
            tag = None;
        }
        let node = Node { span, tag, kind: NodeKind::Scalar(text) };
        if let Some(anchor) = anchor {
            self.anchor(&anchor, span, Some((node.clone(), 1)));
        }
        node
    }

    /// The first byte after anchors and tags.
    fn skip_properties(&self, span: Span) -> usize {
        span.start as usize + after_properties(self.text.get(span.range()).unwrap_or(""))
    }

    /// `<<` and `=` are keys. PyYAML cannot construct a value from them elsewhere.
    fn key_as_value(&mut self, node: &mut Node) {
        let tag = match super::resolve(node) {
            Resolved::Merge => "tag:yaml.org,2002:merge",
            Resolved::Value => "tag:yaml.org,2002:value",
            _ => return,
        };
        self.bad_tag(tag, node.span);
        node.tag = Some(WRONG.into());
    }

    fn bad_tag(&mut self, tag: &str, span: Span) {
        let message = match tag.strip_prefix("tag:yaml.org,2002:") {
            Some(short @ ("str" | "int" | "float" | "bool" | "null" | "timestamp" | "seq" | "map")) => {
                format!("the tag `!!{short}` does not fit this value")
            }
            _ => format!("could not determine a constructor for the tag `{tag}`"),
        };
        let reserved = matches!(tag, "tag:yaml.org,2002:merge" | "tag:yaml.org,2002:value");
        let help = reserved.then_some("quote it: unquoted, it is reserved in YAML 1.1");
        self.diagnostics.push(Diagnostic::new(&codes::YAML_TAG, message).at(span).maybe_help(help));
    }

    fn limit(&mut self, span: Span, message: String) {
        self.diagnostics.push(Diagnostic::new(&codes::YAML_LIMIT, message).at(span));
    }

    fn syntax_error(&mut self, error: SyntaxError, from: usize, quoted: Option<Span>) {
        let at = self.char_span(from + error.at);
        // The marker may have been read as the start of a node.
        let before = self.text[..at.start as usize].rfind('\n').unwrap_or_default();
        let context = error.context.iter().map(|(_, place)| from + place);
        if let Some(marker) = context.chain([at.start as usize, before]).find_map(|place| self.conflict_marker(place)) {
            let error = Diagnostic::new(&codes::YAML_SYNTAX, "unresolved merge conflict").at(marker);
            self.diagnostics.push(error.help("resolve the conflict, and delete the marker lines"));
            return;
        }
        if let Some(opening) = quoted.and_then(|quoted| self.unclosed(quoted, at)) {
            let error = Diagnostic::new(&codes::YAML_SYNTAX, "a quoted string ends where another seems to start");
            let error = error.at_with(opening, "the string starts here").also(at, "this follows its end");
            self.diagnostics.push(error.help("close the quotes of the string"));
            return;
        }
        let context = error.context.as_ref().map(|(context, place)| (context.as_str(), from + place));
        if let Some(slip) = slip(self.text, at.start as usize, &error.problem, context) {
            let place = Span::new(self.file, slip.at.start, slip.at.end);
            self.diagnostics.push(Diagnostic::new(&codes::YAML_SYNTAX, slip.message).at(place).help(slip.help));
            return;
        }
        let found = self.text.get(at.range()).and_then(|rest| rest.chars().next());
        let help = syntax_help(&error.problem, found);
        let mut diagnostic = Diagnostic::new(&codes::YAML_SYNTAX, error.problem).at(at).maybe_help(help);
        if let Some((context, place)) = error.context {
            let place = self.char_span(from + place);
            diagnostic = if place == at { diagnostic.at_with(at, context) } else { diagnostic.also(place, context) };
        }
        self.diagnostics.push(diagnostic);
    }

    /// The marker of a merge conflict on the line of that byte.
    fn conflict_marker(&self, at: usize) -> Option<Span> {
        let start = self.text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].lines().next()?.trim_end();
        let is_marker = line == "=======" || CONFLICT_MARKERS.iter().any(|marker| line.starts_with(marker));
        is_marker.then(|| Span::new(self.file, start, start + line.len()))
    }

    /// The opening quote of a string that ends on a later line, right before text that cannot
    /// follow it.
    fn unclosed(&self, quoted: Span, at: Span) -> Option<Span> {
        let (start, end) = (quoted.start as usize, quoted.end as usize);
        let several_lines = self.text.get(start..end)?.contains('\n');
        let between = self.text.get(end..at.start as usize)?;
        (several_lines && !between.contains('\n')).then(|| self.char_span(start))
    }

    /// The character at a byte, or an empty range at the end of a line or of the text.
    fn char_span(&self, at: usize) -> Span {
        let next = self.text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| !matches!(c, '\n' | '\r'));
        Span::new(self.file, at, at + next.map_or(0, char::len_utf8))
    }
}

/// The first byte of a scalar's text after its anchors and tags.
pub(super) fn after_properties(raw: &str) -> usize {
    let mut rest = raw;
    while rest.starts_with(['&', '!']) {
        let end = match rest.starts_with("!<") {
            true => rest.find('>').map(|at| at + 1),
            false => rest.find(|c| BLANKS.contains(&c) || matches!(c, ',' | ']' | '}')),
        };
        let end = end.unwrap_or(rest.len());
        let after = &rest[end..];
        rest = after.trim_start_matches(BLANKS);
        // A comment may be between a property and its scalar.
        while rest.starts_with('#') && rest.len() < after.len() {
            rest = rest.find(&BLANKS[2..]).map_or("", |at| rest[at..].trim_start_matches(BLANKS));
        }
    }
    raw.len() - rest.len()
}

fn null(span: Span) -> Node {
    let span = span.at_start();
    Node { span, tag: None, kind: NodeKind::Scalar(Text::new(String::new(), "", span, Style::Plain)) }
}

fn syntax_help(problem: &str, found: Option<char>) -> Option<&'static str> {
    match (problem, found) {
        ("found character that cannot start any token", Some('\t')) => {
            Some("indent with spaces: YAML does not allow tabs here")
        }
        ("found character that cannot start any token", Some(_)) => Some("quote the value"),
        ("found a tab character that violates indentation", _) => Some("indent with spaces"),
        ("mapping values are not allowed in this context", _) => {
            Some("quote a value that contains `: `, or indent the line like the ones before it")
        }
        ("could not find expected ':'", _) => Some("a key needs a `:` after it"),
        ("found unexpected end of stream", _) => Some("close the quotes"),
        ("did not find expected key", _) => Some("indent the line like the other keys"),
        ("did not find expected '-' indicator", _) => Some("every entry of this list starts with `- `"),
        _ => None,
    }
}
