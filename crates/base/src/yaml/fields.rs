//! Takes the keys of a mapping one by one; all errors about keys are worded here.
//!
//! A reader makes [`Fields`] from a mapping and a [`KeyTable`], takes the keys it knows with the
//! type it expects, and calls [`Fields::finish`], which reports the keys left over. Invariant: an
//! error in one value does not prevent reading the others.

use std::fmt::Display;
use std::ops::Range;

use serde::Serialize;

pub(crate) use super::keys::Null;
pub use super::keys::{KeySpec, KeyTable, Others, Shape};
use super::unmapped::{as_mapping, not_indented};
use super::{Node, NodeKind, Resolved, Style, Text, resolve};
use crate::diag::{CodeInfo, Diagnostic, Diagnostics, Help, Span, codes, did_you_mean, meant, nearest};

/// A string, or a mapping from strings to strings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum TextOrMap {
    /// The string.
    Text(Text),
    /// The mapping, in order.
    Map(Spanned<Vec<(Text, Text)>>),
}

/// A value and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    #[serde(skip)]
    pub span: Span,
}

/// The keys of a mapping that were not taken yet.
#[derive(Debug)]
pub struct Fields<'d> {
    table: &'static KeyTable,
    first_key: Span,
    /// The known keys of the mapping.
    given: Vec<&'static str>,
    /// A key without a value, and the range of the unknown keys after it.
    indent_below: Option<(&'static str, Range<usize>)>,
    pairs: Vec<Option<(Node, Node)>>,
    diagnostics: &'d mut Diagnostics,
}

impl<'d> Fields<'d> {
    /// The keys of a mapping. Any other node is reported, and has no keys.
    pub fn new(node: Node, table: &'static KeyTable, diagnostics: &'d mut Diagnostics) -> Option<Fields<'d>> {
        let found = describe(&node);
        let NodeKind::Mapping(pairs) = node.kind else {
            let message = format!("{} must be a mapping, not {found}", table.what);
            let error = Diagnostic::new(&codes::NOT_A_MAPPING, message).at(shown(&node));
            refuse(&node, error.maybe_help(as_mapping(&node, table)), diagnostics);
            return None;
        };
        let first_key = pairs.first().map_or(node.span, |(key, _)| key.span);
        let indent_below = not_indented(&pairs, table);
        let is_given =
            |name: &str| pairs.iter().any(|(key, _)| key.as_text().is_some_and(|text| text.as_str() == name));
        let given = table.keys.iter().map(|spec| spec.name).filter(|name| is_given(name)).collect();
        Some(Fields {
            table,
            first_key,
            given,
            indent_below,
            pairs: pairs.into_iter().map(Some).collect(),
            diagnostics,
        })
    }

    /// The first key, which messages about the mapping point at.
    pub fn first_key(&self) -> Span {
        self.first_key
    }

    /// The collector, for errors that the caller finds.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        self.diagnostics
    }

    /// Whether a key exists and was not taken yet.
    pub fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// The place of the key, if it exists and was not taken yet.
    pub fn key_span(&self, name: &str) -> Option<Span> {
        let (key, _) = self.pairs[self.index(name)?].as_ref()?;
        Some(key.span)
    }

    /// The pairs not taken yet, in order.
    pub fn rest(&self) -> impl Iterator<Item = &(Node, Node)> {
        self.pairs.iter().flatten()
    }

    /// Takes a key that was reported by the caller.
    pub fn leave_out(&mut self, key: &Text) {
        for pair in &mut self.pairs {
            if pair.as_ref().is_some_and(|(own, _)| own.span == key.span()) {
                *pair = None;
            }
        }
    }

    /// Takes all remaining pairs, for mappings with names as keys.
    pub fn take_rest(&mut self) -> Vec<(Node, Node)> {
        self.pairs.iter_mut().filter_map(Option::take).collect()
    }

    /// The place of a key without a value, if no unknown keys follow that should be below it.
    #[must_use]
    pub fn empty(&self, name: &str) -> Option<Span> {
        let (key, value) = self.pairs[self.index(name)?].as_ref()?;
        let is_split = self.indent_below.as_ref().is_some_and(|(above, _)| *above == name);
        (value.is_null() && !is_split).then_some(key.span)
    }

    /// Takes a key with any value. Null counts as absent if the table says so.
    pub fn take(&mut self, name: &str) -> Option<Node> {
        let spec = self.table.keys.iter().find(|spec| spec.name == name)?;
        let (_, value) = self.index(name).and_then(|at| self.pairs[at].take())?;
        // The keys that should be below it are reported instead.
        let is_split = self.indent_below.as_ref().is_some_and(|(above, _)| *above == name);
        if (spec.null == Null::Absent || is_split) && value.is_null() { None } else { Some(value) }
    }

    /// Takes a key and checks that the caller expects the shape in the table, which would otherwise
    /// be a bug.
    fn take_as(&mut self, name: &str, fits: fn(Shape) -> bool) -> Option<Node> {
        let spec = self.table.keys.iter().find(|spec| spec.name == name);
        debug_assert!(spec.is_none_or(|spec| fits(spec.shape)), "`{name}` is not read as declared in its table");
        self.take(name)
    }

    /// Takes a string.
    pub fn take_text(&mut self, name: &str) -> Option<Text> {
        let node = self.take_as(name, Shape::is_text)?;
        let what = format_args!("`{name}`");
        // Quoting it would give a meaningless string.
        if let (Resolved::Bool(_), Some(spec)) = (resolve(&node), self.spec(name)) {
            refuse(&node, wrong_type(&node, what, "a string").help(spec.meaning()), self.diagnostics);
            return None;
        }
        let help = match (&node.kind, self.spec(name)) {
            (NodeKind::Sequence(items), Some(KeySpec { shape: Shape::Words(_), .. })) => {
                let words: Option<Vec<&str>> = items.iter().map(|item| item.as_text().map(Text::as_str)).collect();
                words.map(|words| {
                    let words = words.join(", ");
                    Help::new(format!("write `{words}`, without brackets")).at(node.span, words).certainly()
                })
            }
            (NodeKind::Mapping(pairs), Some(spec)) if !matches!(&pairs[..], [(_, value)] if value.is_null()) => {
                Some(spec.meaning().into())
            }
            _ => None,
        };
        if let Some(help) = help {
            refuse(&node, wrong_type(&node, what, "a string").help(help), self.diagnostics);
            return None;
        }
        text(node, what, self.diagnostics)
    }

    /// Takes `true` or `false`.
    pub fn take_bool(&mut self, name: &str) -> Option<Spanned<bool>> {
        let node = self.take_as(name, |shape| matches!(shape, Shape::Bool))?;
        match resolve(&node) {
            Resolved::Bool(value) => Some(Spanned { value, span: node.span }),
            _ => {
                let help = match node.as_text() {
                    Some(text) if text.style() != Style::Plain && is_bool_word(text) => {
                        Some(Help::new("remove the quotes").at(node.span, text.as_str()).certainly())
                    }
                    _ if node.is_null() => Some(GIVE_OR_DELETE.into()),
                    _ => None,
                };
                let error = wrong_type(&node, format_args!("`{name}`"), "`True` or `False`").maybe_help(help);
                refuse(&node, error, self.diagnostics);
                None
            }
        }
    }

    /// Takes a list of strings.
    pub fn take_texts(&mut self, name: &str) -> Option<Spanned<Vec<Text>>> {
        let node = self.take_as(name, Shape::is_texts)?;
        texts(node, name, self.diagnostics)
    }

    /// Takes a list of strings; a string counts as a list of one.
    pub fn take_text_or_texts(&mut self, name: &str) -> Option<Spanned<Vec<Text>>> {
        let node = self.take_as(name, |shape| matches!(shape, Shape::TextOrTexts(_)))?;
        if resolve(&node) == Resolved::Str {
            let span = node.span;
            return text(node, name, self.diagnostics).map(|text| Spanned { value: vec![text], span });
        }
        texts(node, name, self.diagnostics)
    }

    /// Takes words: a string, a list of strings, or a mapping from strings to the reasons for them.
    pub fn take_texts_or_reasons(&mut self, name: &str) -> Option<Spanned<Vec<Text>>> {
        let node = self.take_as(name, |shape| matches!(shape, Shape::TextsOrReasons(_)))?;
        if matches!(node.kind, NodeKind::Mapping(_)) {
            let Spanned { value, span } = text_map(node, name, self.diagnostics)?;
            return Some(Spanned { value: value.into_iter().map(|(word, _)| word).collect(), span });
        }
        if resolve(&node) == Resolved::Str {
            let span = node.span;
            return text(node, name, self.diagnostics).map(|text| Spanned { value: vec![text], span });
        }
        texts(node, name, self.diagnostics)
    }

    /// Takes a mapping from strings to strings, in order.
    pub fn take_map(&mut self, name: &str) -> Option<Spanned<Vec<(Text, Text)>>> {
        let node = self.take_as(name, |shape| matches!(shape, Shape::Map(_)))?;
        if let (Some(text), Resolved::Str) = (node.as_text(), resolve(&node))
            && let Some(mapping) = self.spec(name).and_then(|spec| spec.shape.mapping_of(text.as_str()))
        {
            let help = Help::new(format!("write `{name}: {mapping}`")).instead(mapping);
            refuse(&node, wrong_type(&node, format_args!("`{name}`"), "a mapping").help(help), self.diagnostics);
            return None;
        }
        text_map(node, name, self.diagnostics)
    }

    /// Takes a string, or a mapping from strings to strings, in order.
    pub fn take_text_or_keyed(&mut self, name: &str) -> Option<TextOrMap> {
        let node = self.take_as(name, |shape| matches!(shape, Shape::TextOrKeyed(_)))?;
        if matches!(node.kind, NodeKind::Mapping(_)) {
            return text_map(node, name, self.diagnostics).map(TextOrMap::Map);
        }
        text(node, name, self.diagnostics).map(TextOrMap::Text)
    }

    /// Reports a missing key. If it is only misspelt, [`Fields::finish`] reports that instead.
    pub fn missing(&mut self, name: &str, help: Option<&str>) {
        let is_meant =
            |key: &Node| key.as_text().and_then(|text| self.meant(text)).is_some_and(|help| help.writes(name));
        if self.rest().any(|(key, _)| is_meant(key)) {
            return;
        }
        self.diagnostics.push(
            Diagnostic::new(&codes::MISSING_KEY, format!("{} needs the key `{name}`", self.table.what))
                .at(self.first_key)
                .maybe_help(help),
        );
    }

    /// Reports the keys that were not taken.
    pub fn finish(self) {
        for (at, pair) in self.pairs.iter().enumerate() {
            let Some((key, _)) = pair else { continue };
            let name = key.as_text().map_or("", |text| text.as_str());
            let misplaced = self.table.misplaced.iter().find(|(other, _)| *other == name);
            let below = self.indent_below.as_ref().filter(|(_, range)| range.contains(&at));
            let help = match (misplaced, below) {
                // One mistake, one error.
                (_, Some((_, range))) if range.start < at => continue,
                (_, Some((above, range))) => Some(match range.len() {
                    1 => format!("indent it below `{above}:`").into(),
                    count => format!("indent these {count} keys below `{above}:`").into(),
                }),
                (Some((_, help)), None) => Some(match self.key_in(help) {
                    Some(key) => Help::new(*help).word(name, key).certainly(),
                    None => (*help).into(),
                }),
                (None, None) => self.meant(name).map(|help| match self.given.iter().any(|own| help.writes(own)) {
                    // A key cannot be there twice.
                    true => Help::new(help.as_str()),
                    false => help,
                }),
            };
            self.diagnostics.push(
                Diagnostic::new(self.table.unknown, format!("{} has no key `{name}`", self.table.what))
                    .at(key.span)
                    .maybe_help(help),
            );
        }
    }

    /// The key that is to be written instead, of a help that names nothing else.
    fn key_in(&self, help: &str) -> Option<&'static str> {
        let written = help.strip_suffix(":`").and_then(|help| help.rsplit_once("write `")).map(|(_, name)| name);
        let named = written.or_else(|| help.strip_prefix("did you mean `")?.strip_suffix("`?"))?;
        self.spec(named).map(|spec| spec.name).filter(|name| !self.given.contains(name))
    }

    /// The key that is probably meant: one with nearly that spelling, or an abbreviation of it, or
    /// the reverse.
    fn meant(&self, name: &str) -> Option<Help> {
        let known = || self.table.keys.iter().map(|spec| spec.name);
        let shortened = || known().find(|key| key.len() >= 3 && name.to_ascii_lowercase().starts_with(key));
        let lengthened = || {
            let mut longer = known().filter(|key| name.len() >= 3 && key.starts_with(&format!("{name}_")));
            longer.next().filter(|_| longer.next().is_none())
        };
        let near = did_you_mean(name, known());
        let near = near.or_else(|| shortened().or_else(lengthened).map(|found| meant(name, found)));
        near.or_else(|| self.meant_below(name))
    }

    /// The key of a mapping inside this one that is probably meant.
    fn meant_below(&self, name: &str) -> Option<Help> {
        let below = |spec: &KeySpec| {
            let Shape::Keys(table) = spec.shape else { return None };
            let keys = || table.keys.iter().map(|spec| spec.name);
            let found = keys().find(|key| *key == name).or_else(|| nearest(name, keys()))?;
            Some(format!("write `{found}:` below `{}:`", spec.name).into())
        };
        self.table.keys.iter().find_map(below)
    }

    fn spec(&self, name: &str) -> Option<&'static KeySpec> {
        self.table.keys.iter().find(|spec| spec.name == name)
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.pairs.iter().position(|pair| {
            let Some((key, _)) = pair else { return false };
            key.as_text().is_some_and(|text| text.as_str() == name) && resolve(key) == Resolved::Str
        })
    }
}

/// The items of a list; any other node is reported under `code`, with `what` as the subject.
pub fn items(
    node: Node,
    what: impl Display,
    code: &'static CodeInfo,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Node>> {
    let found = describe(&node);
    match node.kind {
        NodeKind::Sequence(items) => Some(items),
        _ => {
            let help = match &node.kind {
                NodeKind::Mapping(pairs) => pairs.first().and_then(|(key, _)| key.as_text()),
                _ => None,
            };
            let help = help.map(|key| key.as_str().trim_start_matches(DASHES));
            let help = help.map(|key| format!("begin each item with a dash: `- {key}: …`"));
            let diagnostic = Diagnostic::new(code, format!("{what} must be a list, not {found}")).at(shown(&node));
            refuse(&node, diagnostic.maybe_help(help), diagnostics);
            None
        }
    }
}

/// A string; any other node is reported, with `what` as the subject.
pub fn text(node: Node, what: impl Display, diagnostics: &mut Diagnostics) -> Option<Text> {
    if resolve(&node) == Resolved::Str
        && let NodeKind::Scalar(text) = node.kind
    {
        return Some(text);
    }
    let help = match (&node.kind, resolve(&node)) {
        (NodeKind::Scalar(_), Resolved::Null) => Some(GIVE_OR_DELETE.into()),
        (NodeKind::Scalar(text), _) => {
            let quoted = format!("'{text}'");
            Some(Help::new(format!("quote it to make it a string: `{quoted}`")).instead(quoted))
        }
        (NodeKind::Sequence(items), _) if items.len() == 1 => Some(match items[0].as_text() {
            Some(text) => Help::new("remove the brackets").at(node.span, text.as_str()),
            None => "remove the brackets".into(),
        }),
        // `{x}`, which is a placeholder in strings.
        (NodeKind::Mapping(pairs), _) => match pairs.as_slice() {
            [(key, value)] if value.is_null() => key.as_text().map(|name| {
                let quoted = format!("\"{{{name}}}\"");
                Help::new(format!("quote it: `{quoted}`")).at(node.span, quoted)
            }),
            _ => None,
        },
        _ => None,
    };
    refuse(&node, wrong_type(&node, what, "a string").maybe_help(help), diagnostics);
    None
}

/// A list of strings for the key `name`. Other items are reported and omitted.
pub fn texts(node: Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Vec<Text>>> {
    let span = node.span;
    if let NodeKind::Sequence(items) = node.kind {
        let what = format_args!("an item of `{name}`");
        let value = items.into_iter().filter_map(|item| text(item, what, diagnostics)).collect();
        return Some(Spanned { value, span });
    }
    let help = match (node.as_text(), resolve(&node)) {
        (Some(text), Resolved::Str) => {
            let list = format!("[{text}]");
            Some(Help::new(format!("write it as a list: `{list}`")).instead(list))
        }
        (_, Resolved::Null) => Some(GIVE_OR_DELETE.into()),
        _ => None,
    };
    refuse(&node, wrong_type(&node, format_args!("`{name}`"), "a list").maybe_help(help), diagnostics);
    None
}

/// A mapping from strings to strings for the key `name`. Other pairs are reported and omitted.
pub fn text_map(node: Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Vec<(Text, Text)>>> {
    let span = node.span;
    if let NodeKind::Mapping(pairs) = node.kind {
        let mut value = Vec::with_capacity(pairs.len());
        for (key, item) in pairs {
            if let Some((left, right)) = key.as_text().filter(|_| item.is_null()).and_then(|key| key.split_once(':')) {
                let error = Diagnostic::new(&codes::WRONG_TYPE, "a space is missing after `:`").at(key.span);
                refuse(&item, error.help(Help::write(format!("{left}: {right}")).certainly()), diagnostics);
                continue;
            }
            let key = text(key, format_args!("a key of `{name}`"), diagnostics);
            let item = match &key {
                Some(key) => text(item, format_args!("the value of `{key}` in `{name}`"), diagnostics),
                None => text(item, format_args!("a value of `{name}`"), diagnostics),
            };
            value.extend(key.zip(item));
        }
        return Some(Spanned { value, span });
    }
    let is_mapping = |item: &Node| matches!(item.kind, NodeKind::Mapping(_));
    let help = match &node.kind {
        NodeKind::Sequence(items) if items.iter().all(is_mapping) => Some("delete the dashes before the keys"),
        _ if node.is_null() => Some(GIVE_OR_DELETE),
        _ => Some("a mapping is written `{key: value}`"),
    };
    refuse(&node, wrong_type(&node, format_args!("`{name}`"), "a mapping").maybe_help(help), diagnostics);
    None
}

/// Characters that look like the dash of a list, with the space after them.
pub(super) const DASHES: [char; 5] = ['\u{2014}', '\u{2013}', '\u{2212}', '\u{2022}', ' '];

const GIVE_OR_DELETE: &str = "give a value, or delete the key";

/// Reports an error in a node, unless one was reported already.
pub fn refuse(node: &Node, diagnostic: Diagnostic, diagnostics: &mut Diagnostics) {
    if !node.is_wrong() {
        diagnostics.push(diagnostic);
    }
}

/// The diagnostic for a value of the wrong type.
pub fn wrong_type(node: &Node, what: impl Display, wanted: &str) -> Diagnostic {
    Diagnostic::new(&codes::WRONG_TYPE, format!("{what} must be {wanted}, not {}", describe(node))).at(shown(node))
}

/// The kind of a node, for messages.
pub(crate) fn describe(node: &Node) -> &'static str {
    match (&node.kind, resolve(node)) {
        (NodeKind::Sequence(_), _) => "a list",
        (NodeKind::Mapping(_), _) => "a mapping",
        (_, Resolved::Null) => "null",
        (_, Resolved::Bool(_)) => "a boolean",
        (_, Resolved::Int(_) | Resolved::Float(_)) => "a number",
        (_, Resolved::Timestamp) => "a date",
        (_, Resolved::Str) => "a string",
        _ => "this",
    }
}

/// The part of a node to point at: all of a scalar, the start of a collection.
fn shown(node: &Node) -> Span {
    let first = match &node.kind {
        NodeKind::Scalar(_) => None,
        NodeKind::Sequence(items) => items.first().map(shown),
        NodeKind::Mapping(pairs) => pairs.first().map(|(key, _)| key.span),
    };
    match first {
        // The node that an alias refers to is elsewhere.
        Some(first) if node.span.start <= first.start && first.end <= node.span.end => {
            Span { end: first.end, ..node.span }
        }
        _ => node.span,
    }
}

fn is_bool_word(text: &str) -> bool {
    matches!(super::resolve::plain(text), Resolved::Bool(_))
}
