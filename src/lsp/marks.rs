//! What an editor marks in a text: symbols, folds, colors, and the variants that are generated.
//!
//! Invariant: follows from the text as it is now, but for the generated variants, which are facts.

use gen_lsp_types::{DocumentSymbol, FoldingRange, InlayHint, Range, SemanticToken, SemanticTokenTypes, SymbolKind};

use super::entries::{Entry, entries};
use super::index::Index;
use super::text::{Text, number};

/// The kinds of words that are colored, as the client numbers them.
pub(super) const COLORED: [SemanticTokenTypes; 4] =
    [SemanticTokenTypes::Function, SemanticTokenTypes::Type, SemanticTokenTypes::Parameter, SemanticTokenTypes::Number];
const FUNCTION: u32 = 0;
const TYPE: u32 = 1;
const PARAMETER: u32 = 2;
const NUMBER: u32 = 3;

/// The entries of a text as symbols.
pub(super) fn symbols(text: &Text) -> Vec<DocumentSymbol> {
    let symbol = |entry: &Entry| {
        let last = entry.lines.end - 1;
        let line = text.line(entry.lines.start);
        #[allow(deprecated, reason = "the type has a field that the protocol no longer uses")]
        DocumentSymbol {
            name: entry.name.clone(),
            detail: Some(line[entry.place.start..].trim_end_matches(['"', '\'']).to_owned()),
            kind: if line.starts_with(&entry.key) { SymbolKind::Namespace } else { SymbolKind::Function },
            tags: None,
            deprecated: None,
            range: Range::new(text.position(entry.lines.start, 0), text.position(last, usize::MAX)),
            selection_range: text.range(entry.lines.start, entry.place.clone()),
            children: None,
        }
    };
    entries(text).iter().filter(|entry| !entry.name.is_empty()).map(symbol).collect()
}

/// The entries that have several lines.
pub(super) fn folds(text: &Text) -> Vec<FoldingRange> {
    let entries = entries(text);
    let long = entries.iter().filter(|entry| entry.lines.len() > 1);
    long.map(|entry| FoldingRange {
        start_line: number(entry.lines.start),
        end_line: number(entry.lines.end - 1),
        ..FoldingRange::default()
    })
    .collect()
}

/// The words of schemas and formulas, with their kinds.
pub(super) fn colors(text: &Text) -> Vec<SemanticToken> {
    let mut found = Vec::new();
    for entry in entries(text) {
        let line = text.line(entry.lines.start);
        if line[entry.place.end..].starts_with('(') {
            schema(line, &entry, text, &mut found);
        }
        // A formula's arguments are those of the schema above.
        let is_formula = entry.key == "name" && line[entry.place.end..].starts_with('(');
        for at in entry.lines.clone().skip(1).filter(|_| is_formula) {
            formula(line, at, text, &mut found);
        }
    }
    relative(found)
}

/// A word: its line, first byte, length in bytes, and kind.
type Word = (u32, u32, u32, u32);

fn schema(line: &str, entry: &Entry, text: &Text, found: &mut Vec<Word>) {
    let at = entry.lines.start;
    let mut push = |range: std::ops::Range<usize>, kind| found.push(word(text, at, range, kind));
    push(entry.place.clone(), FUNCTION);
    let mut number_ends = 0;
    for mut word in words(line, entry.place.end) {
        if word.start < number_ends {
            continue;
        }
        let before = line[..word.start].trim_end();
        let is_adjacent = before.len() == word.start;
        let mut last = before.bytes().rev();
        let (one, two) = (last.next().unwrap_or_default(), last.next().unwrap_or_default());
        let is_annotation =
            one == b'(' && is_adjacent && two.is_ascii_alphanumeric() && before.len() > entry.place.end + 1;
        let kind = match one {
            _ if line.as_bytes()[word.start].is_ascii_digit() => {
                let digits = line[word.start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
                word.end = digits.map_or(line.len(), |length| word.start + length);
                number_ends = word.end;
                NUMBER
            }
            b'(' if is_annotation => continue,
            b'(' | b',' | b'>' => TYPE,
            _ if !is_adjacent && (one.is_ascii_alphanumeric() || b"?])".contains(&one)) => PARAMETER,
            _ => continue,
        };
        push(word, kind);
    }
}

fn formula(schema: &str, at: usize, text: &Text, found: &mut Vec<Word>) {
    let line = text.line(at);
    let from = line.find(": ").map_or(0, |colon| colon + 2);
    let ended = line.find(" #").unwrap_or(line.len());
    for range in words(line, from).into_iter().filter(|range| range.end <= ended) {
        let name = &line[range.clone()];
        let is_argument = |name: &str| {
            schema.match_indices(name).any(|(start, _)| {
                let after = schema[start + name.len()..].chars().next().unwrap_or(' ');
                schema[..start].ends_with(' ') && !after.is_alphanumeric() && after != '_'
            })
        };
        if line[range.end..].starts_with('(') {
            found.push(word(text, at, range, FUNCTION));
        } else if is_argument(name) || matches!(name, "grad" | "grads" | "result") {
            found.push(word(text, at, range, PARAMETER));
        }
    }
}

fn words(line: &str, from: usize) -> Vec<std::ops::Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = from;
    while at < bytes.len() {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_part(bytes[at]) {
            at += 1;
        }
        found.push(start..at);
    }
    found
}

fn word(text: &Text, line: usize, bytes: std::ops::Range<usize>, kind: u32) -> Word {
    let range = text.range(line, bytes);
    (range.start.line, range.start.character, range.end.character - range.start.character, kind)
}

/// Words as the protocol has them: each from the one before.
fn relative(mut words: Vec<Word>) -> Vec<SemanticToken> {
    words.sort_unstable();
    let mut before = (0, 0);
    let token = |(line, start, length, kind)| {
        let delta_line = line - before.0;
        let delta_start = if delta_line == 0 { start - before.1 } else { start };
        before = (line, start);
        SemanticToken { delta_line, delta_start, length, token_type: kind, token_modifiers_bitset: 0 }
    };
    words.into_iter().map(token).collect()
}

/// The variants that are generated from operators, after their schemas.
pub(super) fn generated(text: &Text, lines: Range, index: &Index) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for entry in entries(text) {
        let line = entry.lines.start;
        if entry.key != "func" || number(line) < lines.start.line || number(line) > lines.end.line {
            continue;
        }
        let Some(thing) = index.things_named(&entry.name).next() else { continue };
        let generated = thing.list("/relations").filter(|relation| relation["kind"] == "generates");
        let names: Vec<&str> = generated.filter_map(|relation| relation["to"].as_str()).collect();
        if !names.is_empty() {
            hints.push(InlayHint {
                position: text.position(line, usize::MAX),
                label: format!("also {}", names.join(", ")).into(),
                kind: None,
                text_edits: None,
                tooltip: None,
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::text::Encoding;

    #[test]
    fn colors_of_a_schema_and_a_formula() {
        let yaml = "- name: mul.Tensor(Tensor self, Tensor? other, *, float n=1.5) -> (Tensor, Tensor(a!) out)\n  self: mul(grad, other)\n";
        let text = Text::new(yaml.to_owned(), Encoding::Utf16);
        let mut line = 0;
        let mut start = 0;
        let mut said = Vec::new();
        for token in colors(&text) {
            start = if token.delta_line == 0 { start + token.delta_start } else { token.delta_start };
            line += token.delta_line;
            let own = &text.line(line as usize)[start as usize..][..token.length as usize];
            said.push(format!("{own}:{}", COLORED[token.token_type as usize].as_str()));
        }
        let expected = "mul.Tensor:function Tensor:type self:parameter Tensor:type other:parameter float:type n:parameter 1.5:number Tensor:type Tensor:type out:parameter mul:function grad:parameter other:parameter";
        assert_eq!(said.join(" "), expected);
    }
}
