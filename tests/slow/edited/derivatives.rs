//! Random edits of derivatives.yaml and deprecated.yaml.
//!
//! Invariant: as in `operators`.

use super::entry::{Entry, Schema, name_of, parts};
use super::operators::one;
use super::{Files, replaced_words};
use crate::support::random::Random;

const FORMULAS: &str = "grad|grads[0]|grads[1]|grad * result|result|result0|result1|-grad|zeros_like(grad)|0|self|not_differentiable|\
    non_differentiable|auto_linear|auto_element_wise|self_t|self_p|self_t + other_t|grad.sum(dim)|grad.expand(self.sizes())|\
    grad.expand_symint(self.sym_sizes())|self.sizes().vec()|grad * self.size(0)|self.options()|to_args_sizes(self)|\
    grad.defined() ? grad : Tensor()|at::real(grad)|handle_r_to_c(self, grad)|handle_r_to_c(self.scalar_type(), grad)|\
    not_implemented(\"f: self\")|not_implemented(\"f\")|\"self\"|grad_input_mask[0] ? grad : Tensor()|f(grad, grad_input_mask)|\
    self.dim() + self.numel()|self.sym_size(-1)|self.scalar_type()|wrap_opt_if(self, true)|other.has_value() ? *other : grad|\
    GradMode::is_enabled() ? grad : self|retain_variables ? grad : self|grad.masked_fill(result == 0, 0)|result_t|original_self|\
    original_self_t|self.is_complex()|strides_or_error(self, \"self\")|grad * bogus||[]|1|'0'|grad.index({self})|fft_r2c_backward(grad)";
const NAMES: &str = "self|other|x|dim|result|self, other|other, self|self, self|result0, result1|index|output_differentiability|\
    weight|weight, bias|grad|out|dispatch|self,other|self, bogus";
const FLAGS: &str = "[True]|[False]|[True, False]|[False, True]|[True, False, False]|[]|True|[1]|['True']|[self.requires_grad()]|\
    ['self.dim() > 0']|[at::isComplexType(self.scalar_type())]|[grad]|[True, foo]|";

type Edit = fn(&mut Random, &mut Files) -> Option<String>;

pub(super) const EDITS: &[Edit] = &[
    formula,
    formula,
    formula,
    formula_of_another,
    formula_words,
    formula_removed,
    input_names,
    entry_removed,
    entry_twice,
    schema,
    differentiability,
    by_key,
    deprecated,
    deprecated,
];

/// A random entry.
fn entry<'a>(random: &mut Random, entries: &'a mut [Entry]) -> Option<&'a mut Entry> {
    let limit = u64::try_from(entries.len()).ok().filter(|count| *count > 0)?;
    entries.get_mut(usize::try_from(random.below(limit)).ok()?)
}

/// A random key of an entry.
fn item(random: &mut Random, entry: &Entry) -> Option<usize> {
    let all: Vec<usize> = (0..entry.items.len()).filter(|at| entry.items[*at][0].contains(':')).collect();
    random.pick(&all).copied()
}

fn set(entry: &mut Entry, at: usize, value: &str) -> String {
    let key = name_of(&entry.items[at]).to_owned();
    entry.items[at] = vec![format!("  {key}: {value}")];
    format!("{}: {key}: {value}", entry.head)
}

fn formula(random: &mut Random, files: &mut Files) -> Option<String> {
    let value = one(random, FORMULAS);
    let entry = entry(random, &mut files.derivatives)?;
    if random.once_in(4) {
        let names: Vec<String> = Schema::of(&entry.head)?.1.arguments;
        let (_, name, _) = parts(random.pick(&names)?)?;
        let name = if random.once_in(3) { "result" } else { name };
        entry.items.push(vec![format!("  {name}: {value}")]);
        return Some(format!("{}: {name}: {value}", entry.head));
    }
    let at = item(random, entry)?;
    Some(set(entry, at, value))
}

fn formula_of_another(random: &mut Random, files: &mut Files) -> Option<String> {
    let from = entry(random, &mut files.derivatives)?.clone();
    let value = from.items[item(random, &from)?].clone();
    let value = value[0].split_once(": ")?.1.trim().to_owned();
    let entry = entry(random, &mut files.derivatives)?;
    let at = item(random, entry)?;
    Some(set(entry, at, &value))
}

/// A word of a formula becomes another.
fn formula_words(random: &mut Random, files: &mut Files) -> Option<String> {
    let entry = entry(random, &mut files.derivatives)?;
    let at = item(random, entry)?;
    let arguments = Schema::of(&entry.head)?.1.arguments;
    let (_, old, _) = parts(random.pick(&arguments)?)?;
    let new = one(
        random,
        "grad|result|other|self|self_t|self.sizes()|self.sym_sizes()|self.numel()|at::real(self)|grads[0]|\"self\"|x.self|self_p|\
         self.options()|self.sizes()[0]|*self|::self|self.size(dim)|self.sym_size(dim)|self->x|grad_input_mask|self.scalar_type()",
    );
    let (key, value) = entry.items[at][0].split_once(": ")?;
    let old = if random.once_in(3) { "grad" } else { old };
    let line = format!("{key}: {}", replaced_words(value, old, new));
    let said = format!("{}: {line}", entry.head);
    entry.items[at][0] = line;
    Some(said)
}

fn formula_removed(random: &mut Random, files: &mut Files) -> Option<String> {
    let entry = entry(random, &mut files.derivatives)?;
    let at = item(random, entry)?;
    let item = entry.items.remove(at);
    Some(format!("{}: without {}", entry.head, item[0]))
}

fn input_names(random: &mut Random, files: &mut Files) -> Option<String> {
    let names = one(random, NAMES);
    let entry = entry(random, &mut files.derivatives)?;
    let at = item(random, entry)?;
    let (key, value) = entry.items[at][0].split_once(": ")?;
    let said = format!("{}: {} is {names}", entry.head, key.trim());
    entry.items[at][0] = format!("  {names}: {value}");
    Some(said)
}

fn entry_removed(random: &mut Random, files: &mut Files) -> Option<String> {
    let limit = u64::try_from(files.derivatives.len()).ok().filter(|count| *count > 0)?;
    let entry = files.derivatives.remove(usize::try_from(random.below(limit)).ok()?);
    Some(format!("without {}", entry.head))
}

fn entry_twice(random: &mut Random, files: &mut Files) -> Option<String> {
    let entry = entry(random, &mut files.derivatives)?.clone();
    let said = format!("twice {}", entry.head);
    files.derivatives.push(entry);
    Some(said)
}

/// The schema is another than the operator's.
fn schema(random: &mut Random, files: &mut Files) -> Option<String> {
    let new = Schema::of(&entry(random, &mut files.operators)?.head)?.1;
    let entry = entry(random, &mut files.derivatives)?;
    let (before, mut schema) = Schema::of(&entry.head).map(|(before, schema)| (before.to_owned(), schema))?;
    match random.below(4) {
        0 => schema.name = new.name,
        1 => schema.returns = new.returns,
        2 => schema = new,
        _ => {
            let at =
                usize::try_from(random.below(u64::try_from(schema.arguments.len()).ok().filter(|count| *count > 0)?))
                    .ok()?;
            let (kind, name, _) = parts(&schema.arguments[at])?;
            schema.arguments[at] = if random.once_in(2) { format!("{kind} x") } else { format!("int {name}") };
        }
    }
    let said = format!("{} => {}", entry.head, schema.text());
    entry.head = format!("{before}{}", schema.text());
    Some(said)
}

fn differentiability(random: &mut Random, files: &mut Files) -> Option<String> {
    let flags = one(random, FLAGS);
    let entry = entry(random, &mut files.derivatives)?;
    entry.set("output_differentiability", flags);
    Some(format!("{}: output_differentiability: {flags}", entry.head))
}

/// The formulas become those of dispatch keys.
fn by_key(random: &mut Random, files: &mut Files) -> Option<String> {
    let keys = one(
        random,
        "Default|Default, AutogradNestedTensor|AutogradNestedTensor|AutogradCUDA|Default, AutogradCUDA|Foo|CPU, Default",
    );
    let entry = entry(random, &mut files.derivatives)?;
    if entry.position("dispatch").is_some() {
        return None;
    }
    let (outside, formulas): (Vec<_>, Vec<_>) =
        entry.items.drain(..).partition(|item| name_of(item) == "output_differentiability" || !item[0].contains(':'));
    let mut dispatch = vec!["  dispatch:".to_owned()];
    for key in keys.split(", ") {
        dispatch.push(format!("    {key}:"));
        dispatch.extend(formulas.iter().flatten().map(|line| format!("    {line}")));
    }
    entry.items.push(dispatch);
    entry.items.extend(outside);
    Some(format!("{}: dispatch {keys}", entry.head))
}

fn deprecated(random: &mut Random, files: &mut Files) -> Option<String> {
    let limit = u64::try_from(files.deprecated.len()).ok().filter(|count| *count > 0)?;
    let place = usize::try_from(random.below(limit)).ok()?;
    let entry = &mut files.deprecated[place];
    let said = entry.head.clone();
    let said = match random.below(5) {
        0 => {
            entry.items.clear();
            format!("{said}: without aten")
        }
        1 => {
            let call = one(
                random,
                "add(self, other)|add(self, other, alpha=alpha)|nothing(self)|add|add(self, 1)|mul(other, self)||1|add(self,",
            );
            entry.set("aten", call);
            format!("{said}: aten: {call}")
        }
        2 => {
            files.deprecated.remove(place);
            format!("without {said}")
        }
        3 => {
            let again = entry.clone();
            files.deprecated.push(again);
            format!("twice {said}")
        }
        _ => {
            let (before, mut schema) = Schema::of(&entry.head).map(|(before, schema)| (before.to_owned(), schema))?;
            let at =
                usize::try_from(random.below(u64::try_from(schema.arguments.len()).ok().filter(|count| *count > 0)?))
                    .ok()?;
            match random.below(3) {
                0 => schema.returns = one(random, "Tensor|Tensor(a!)|(Tensor, Tensor)|int|").to_owned(),
                1 => drop(schema.arguments.remove(at)),
                _ => {
                    let (_, name, _) = parts(&schema.arguments[at])?;
                    schema.arguments[at] =
                        format!("{} {name}", one(random, "Tensor|int|Scalar|Tensor?|Tensor[]|SymInt|bogus"));
                }
            }
            entry.head = format!("{before}{}", schema.text());
            format!("{said} => {}", schema.text())
        }
    };
    Some(said)
}
