//! Compares the parts and the results of a thing.
//!
//! Invariant: parts are the same by name, or if one took the place of another; results by position.
//! Rule: aten/src/ATen/core/function_schema.cpp, `FunctionSchema::isBackwardCompatibleWith`: the
//! arguments for results are compared apart from the others, and new ones come last.

use super::list::{Adjust, List, Texts};
use super::{Category, Group, Part, Thing, kinds};
use torchgen_base::lang::is_ascii_word;

/// Adds what differs.
pub(super) fn compare(before: &Thing, after: &Thing, list: &mut List) {
    if are_same(&before.parts, &after.parts) && are_same(&before.results, &after.results) {
        return;
    }
    let pairs = paired(&before.parts, &after.parts);
    let is_old = |part: &Part| pairs.iter().any(|(old, _)| std::ptr::eq(*old, part));
    let is_new = |part: &Part| pairs.iter().any(|(_, new)| std::ptr::eq(*new, part));
    for old in before.parts.iter().filter(|old| !is_old(old)) {
        let message = format!("{} `{}` of `{}` is gone", old.role, old.name, after.name);
        let texts = Texts::removed(old.place, &old.text, after.place);
        list.add(&kinds::ARGUMENT_REMOVED, after, message, texts, Adjust::of_part(old));
    }
    for (old, new) in &pairs {
        part(old, new, after, list);
    }
    let mut among: Vec<(&str, bool)> = after.parts.iter().map(kind_of).collect();
    among.sort_unstable();
    among.dedup();
    for among in among {
        reordered(&pairs, among, before, after, list);
    }
    for (at, new) in after.parts.iter().enumerate().filter(|(_, new)| !is_new(new)) {
        let later: Vec<&Part> = after.parts[at + 1..].iter().filter(|part| is_new(part)).collect();
        added(new, &later, before, after, list);
    }
    results(before, after, list);
}

/// What a part is, wherever it is declared.
fn declared(part: &Part) -> impl PartialEq + '_ {
    let Part { role, group, name, ty, alias, default, text, place: _ } = part;
    (*role, *group, name, ty, alias, default, text)
}

/// Whether parts differ in nothing but their places.
fn are_same(before: &[Part], after: &[Part]) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(old, new)| declared(old) == declared(new))
}

/// Parts of one role have an order; the arguments for results are apart.
fn kind_of(part: &Part) -> (&'static str, bool) {
    (part.role, part.group == Group::Out)
}

/// The parts of both states that are the same: of one name, or of one type in one place.
pub(super) fn paired<'t>(before: &'t [Part], after: &'t [Part]) -> Vec<(&'t Part, &'t Part)> {
    let is_out = |part: &Part| part.group == Group::Out;
    let named = |part: &Part, others: &'t [Part]| {
        others.iter().find(|other| other.name == part.name && is_out(other) == is_out(part))
    };
    // The place of a part is the number of parts before it that kept their names.
    let place = |parts: &[Part], at: usize, others: &'t [Part]| {
        parts[..at].iter().filter(|part| named(part, others).is_some()).count()
    };
    let mut pairs: Vec<(&Part, &Part)> = Vec::new();
    for (at, old) in before.iter().enumerate() {
        let same = named(old, after).or_else(|| {
            let mut fresh = after.iter().enumerate().filter(|(_, new)| named(new, before).is_none());
            let fits = |(to, new): &(usize, &'t Part)| {
                (new.ty == old.ty || new.default == old.default && new.default.is_some())
                    && is_out(new) == is_out(old)
                    && place(after, *to, before) == place(before, at, after)
                    && !pairs.iter().any(|(_, taken)| std::ptr::eq(*taken, *new))
            };
            fresh.find(fits).map(|(_, new)| new)
        });
        pairs.extend(same.map(|new| (old, new)));
    }
    pairs
}

/// A text with the new names of parts in place of their old ones, in braces.
pub(super) fn with_new_names(text: &str, before: &Thing, after: &Thing) -> String {
    let pairs = paired(&before.parts, &after.parts);
    let mut rest = text;
    let mut made = String::new();
    while let Some((literal, found)) = rest.split_once('{') {
        let (name, further) = found.split_at(found.find(|c: char| !is_ascii_word(c)).unwrap_or(found.len()));
        let new = pairs.iter().find(|(old, _)| old.name == name).map_or(name, |(_, new)| new.name.as_str());
        made.push_str(literal);
        made.push('{');
        made.push_str(new);
        rest = further;
    }
    made + rest
}

/// Adds what differs between a part and what it was.
fn part(old: &Part, new: &Part, thing: &Thing, list: &mut List) {
    let what = format!("{} `{}` of `{}`", new.role, new.name, thing.name);
    let texts = || Texts::both(old.place, &old.text, new.place, &new.text);
    let mut add = |kind, message, adjust| list.add(kind, thing, message, texts(), adjust);
    if old.name != new.name {
        let message = format!("{} `{}` of `{}` is now named `{}`", old.role, old.name, thing.name, new.name);
        add(&kinds::ARGUMENT_RENAMED, message, Adjust::of_part(new));
    }
    match (old.group, new.group) {
        (Group::Positional, Group::Keyword) => {
            add(&kinds::ARGUMENT_KEYWORD_ONLY, format!("{what} is passed by name only now"), Adjust::of_part(new));
        }
        (Group::Keyword, Group::Positional) => {
            add(&kinds::ARGUMENT_POSITIONAL, format!("{what} can be passed by position now"), Adjust::of_part(new));
        }
        _ => {}
    }
    match (&old.default, &new.default) {
        (None, Some(default)) => {
            add(&kinds::DEFAULT_ADDED, format!("{what} has the default `{default}` now"), Adjust::of_part(new));
        }
        (Some(default), None) => {
            add(&kinds::DEFAULT_REMOVED, format!("{what} lost its default `{default}`"), Adjust::of_part(new));
        }
        (Some(was), Some(is)) if !same_value(was, is, &old.ty) => {
            let message = format!("{what} had the default `{was}`, and has `{is}` now");
            add(&kinds::DEFAULT_CHANGED, message, Adjust::of_part(new));
        }
        _ => {}
    }
    if old.alias != new.alias {
        let message = format!("{what} was declared as `{}`, and is `{}` now", old.text, new.text);
        add(&kinds::ARGUMENT_ALIAS_CHANGED, message, Adjust::of_part(new));
    }
    if old.ty != new.ty {
        let message = format!("{what} was of type `{}`, and is of `{}` now", old.ty, new.ty);
        let rules = list.rules;
        let (kind, adjust) = match (rules.accepts)(&new.ty, &old.ty) {
            false => (&kinds::ARGUMENT_TYPE_CHANGED, Adjust::of_part(new)),
            true => {
                let wider = (!(rules.accepts)(&old.ty, &new.ty)).then_some(kinds::WIDER_TYPE);
                let source = (!(rules.converts)(&new.ty, &old.ty)).then_some(kinds::NO_CONVERSION);
                (
                    &kinds::ARGUMENT_TYPE_WIDENED,
                    Adjust { with: wider.into_iter().chain(source).collect(), ..Adjust::of_part(new) },
                )
            }
        };
        list.add(kind, thing, message, texts(), adjust);
    }
}

/// Whether two defaults are one value.
fn same_value(was: &str, is: &str, ty: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok().filter(|_| ty.starts_with("float"));
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    was == is
        || number(was).is_some() && number(was) == number(is)
        || !was.starts_with(['"', '\'']) && plain(was) == plain(is)
}

/// Adds a change if parts that stayed are in another order.
fn reordered(pairs: &[(&Part, &Part)], kind: (&str, bool), before: &Thing, after: &Thing, list: &mut List) {
    let among: Vec<&(&Part, &Part)> = pairs.iter().filter(|(_, new)| kind_of(new) == kind).collect();
    let at = |part: &Part| after.parts.iter().position(|other| std::ptr::eq(other, part)).unwrap_or_default();
    let mut sorted = among.clone();
    sorted.sort_by_key(|(_, new)| at(new));
    let Some(moved) = among.iter().zip(&sorted).position(|(a, b)| !std::ptr::eq(*a, *b)) else { return };
    let names =
        |list: &mut dyn Iterator<Item = &str>| list.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let was = names(&mut among.iter().map(|(_, new)| new.name.as_str()));
    let is = names(&mut sorted.iter().map(|(_, new)| new.name.as_str()));
    let role = among[moved].1.role;
    let message = format!("{role}s of `{}` were in the order {was}, and are in the order {is} now", after.name);
    let texts = Texts::both(among[moved].0.place, &before.text, sorted[moved].1.place, &after.text);
    // Only the order of what is passed by position matters in Python.
    let positional = |list: &[&(&Part, &Part)]| -> Vec<String> {
        list.iter().filter(|(_, new)| new.group == Group::Positional).map(|(_, new)| new.name.clone()).collect()
    };
    let without: &[Category] = if positional(&among) == positional(&sorted) { &[Category::Python] } else { &[] };
    list.add(&kinds::ARGUMENTS_REORDERED, after, message, texts, Adjust { without, ..Adjust::of_part(among[moved].1) });
}

/// Adds a new part. `later` are those after it that are not new.
fn added(new: &Part, later: &[&Part], before: &Thing, after: &Thing, list: &mut List) {
    let what = format!("{} `{}` of `{}` is new", new.role, new.name, after.name);
    let texts = Texts { old: before.place, ..Texts::added(new.place, &new.text) };
    let is_out = new.group == Group::Out;
    let follows = |part: &&&Part| kind_of(part) == kind_of(new);
    let before_others = later.iter().find(follows);
    let (kind, message, adjust) = match (is_out, &new.default, before_others) {
        (true, _, None) => (&kinds::OUT_ARGUMENT_ADDED, what, Adjust::of_part(new)),
        (false, None, _) => {
            (&kinds::REQUIRED_ARGUMENT_ADDED, format!("{what}, and has no default"), Adjust::of_part(new))
        }
        (_, default, Some(next)) => {
            let by_position = |part: &&Part| part.group == Group::Positional && new.group == Group::Positional;
            let without: &[Category] = if is_out || later.iter().any(by_position) { &[] } else { &[Category::Python] };
            let message = format!("{what}, before `{}`", next.name);
            let kind = if default.is_none() { &kinds::REQUIRED_ARGUMENT_ADDED } else { &kinds::ARGUMENT_INSERTED };
            (kind, message, Adjust { without, ..Adjust::of_part(new) })
        }
        (false, Some(_), None) => {
            let with = (list.rules.added)(new).into_iter().collect();
            (&kinds::ARGUMENT_ADDED, what, Adjust { with, ..Adjust::of_part(new) })
        }
    };
    list.add(kind, after, message, texts, adjust);
}

/// Compares results by position.
fn results(before: &Thing, after: &Thing, list: &mut List) {
    let (old, new) = (&before.results, &after.results);
    let named = |part: &Part, at: usize| match part.name.as_str() {
        "" => format!("{} {} of `{}`", part.role, at + 1, after.name),
        name => format!("{} `{name}` of `{}`", part.role, after.name),
    };
    for (at, gone) in old.iter().enumerate().skip(new.len()) {
        let texts = Texts::removed(gone.place, &gone.text, after.place);
        list.add(&kinds::RESULT_REMOVED, after, format!("{} is gone", named(gone, at)), texts, Adjust::of_part(gone));
    }
    for (at, (was, is)) in old.iter().zip(new).enumerate() {
        let texts = || Texts::both(was.place, &was.text, is.place, &is.text);
        if was.name != is.name {
            let message = match (was.name.as_str(), is.name.as_str()) {
                ("", name) => format!("{} {} of `{}` is named `{name}` now", was.role, at + 1, after.name),
                (_, "") => format!("{} has no name now", named(was, at)),
                (_, name) => format!("{} is now named `{name}`", named(was, at)),
            };
            list.add(&kinds::RESULT_RENAMED, after, message, texts(), Adjust::of_part(is));
        }
        if was.ty != is.ty {
            let narrowed = (list.rules.accepts)(&was.ty, &is.ty);
            let kind = if narrowed { &kinds::RESULT_TYPE_NARROWED } else { &kinds::RESULT_TYPE_CHANGED };
            let message = format!("{} was of type `{}`, and is of `{}` now", named(is, at), was.ty, is.ty);
            list.add(kind, after, message, texts(), Adjust::of_part(is));
        }
        if was.alias != is.alias {
            let message = format!("{} was declared as `{}`, and is `{}` now", named(is, at), was.text, is.text);
            list.add(&kinds::RESULT_ALIAS_CHANGED, after, message, texts(), Adjust::of_part(is));
        }
    }
    for (at, fresh) in new.iter().enumerate().skip(old.len()) {
        let texts = Texts { old: before.place, ..Texts::added(fresh.place, &fresh.text) };
        list.add(&kinds::RESULT_ADDED, after, format!("{} is new", named(fresh, at)), texts, Adjust::of_part(fresh));
    }
}
