//! Lines that follow from those of other operators: of a backward from its operator's, and of a
//! variant from another one's.
//!
//! Invariant: a line that follows is sound, as one that an author writes is. A variant for which it
//! would not be has none; a backward gets an error, because its author asked for the line.
//!
//! If `f` has `map(d)` or `reduce(d=sum)`, gradients have words too: that of a tensor with `d`
//! maps, that of one without is a sum over parts, and that of one that is added once is the same in
//! each part. They follow from the linearity of gradients in those of the results; it does not hold
//! for `max`, `min` and `same`.

use super::known::Known;
use super::sound;
use crate::codes;
use crate::group::Variants;
use crate::model::dims::{Combined, Dim, DimBase, Dims, DimsLine, DimsResult, DimsSource, Reduction};
use crate::model::{Argument, NativeFunction, SchemaKind, Type};
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean, plural};
use torchgen_kit::schema::Spanned;

/// Gives the operators of a namespace the lines that follow from those of others and from tags.
/// Without any line, nothing follows.
pub fn derive(functions: &mut [NativeFunction], diagnostics: &mut Diagnostics) {
    if functions.iter().all(|f| f.dims.is_none()) {
        return;
    }
    for f in functions.iter_mut().filter(|f| f.dims.is_none()) {
        f.dims = pointwise(f);
    }
    let backwards = backwards(functions, diagnostics);
    for (at, lines) in backwards {
        functions[at].dims = functions[at].dims.take().map(|dims| Dims { lines, ..dims });
    }
    diagnostics.extend(functions.iter().filter_map(unknown_flops));
    for (at, dims) in variants(functions) {
        functions[at].dims = Some(dims);
    }
}

/// The error for a count of a backward that names what its lines, which follow, do not give.
fn unknown_flops(f: &NativeFunction) -> Option<Diagnostic> {
    let (Some(flops), Some(Dims { lines, source: DimsSource::BackwardOf(_) })) = (&f.flops, &f.dims) else {
        return None;
    };
    let name = lines.iter().find_map(|line| Known::of_line(line, &f.func).unknown_in(&flops.count))?;
    let message = format!("nothing gives the size of `{name}`");
    let line = lines.first().map(ToString::to_string).unwrap_or_default();
    Some(Diagnostic::new(&codes::BAD_FLOPS, message).at(f.spans.flops?).help(format!("the line is `{line}`")))
}

/// The line of an operator with the tag `pointwise`: all tensors are broadcast.
fn pointwise(f: &NativeFunction) -> Option<Dims> {
    let is_usual = f.func.kind() == SchemaKind::Functional
        && f.func.tensor_arguments().all(|a| a.ty.is_list_like().is_none() && !a.is_write())
        && f.func.returns.iter().all(|ret| ret.ty == Type::TENSOR && ret.annotation.is_none());
    let has_words = !f.has_composite_implicit_autograd_kernel && !f.has_tag("nondeterministic_seeded");
    if !(is_usual && has_words && f.has_tag("pointwise")) {
        return None;
    }
    let group = |or_one| Spanned::new(Dim { or_one, ..Dim::plain(DimBase::Group("b".to_owned())) }, 0..0);
    let line = DimsLine {
        tensors: f.func.tensor_arguments().map(|a| (unplaced(a.schema_name()), vec![group(true)])).collect(),
        results: f.func.returns.iter().map(|_| DimsResult::Dims(Spanned::new(vec![group(false)], 0..0))).collect(),
        map: vec![unplaced("b")],
        ..DimsLine::default()
    };
    let is_sound = !line.tensors.is_empty() && sound::errors(&line, &[], &f.func).is_empty();
    is_sound.then(|| Dims { lines: vec![line], source: DimsSource::Implied })
}

/// The lines of operators with `dims: backward(f)`, by their places.
fn backwards(functions: &[NativeFunction], diagnostics: &mut Diagnostics) -> Vec<(usize, Vec<DimsLine>)> {
    let mut found = Vec::new();
    for (at, f) in functions.iter().enumerate() {
        let Some(Dims { source: DimsSource::BackwardOf(name), .. }) = &f.dims else { continue };
        let place = f.spans.dims.unwrap_or(f.spans.name);
        let error = |message: String| Diagnostic::new(&codes::BAD_DIMS, message).at(place);
        let forward = functions.iter().find(|other| other.func.name.to_string() == *name);
        let Some(forward) = forward else {
            let known: Vec<String> = functions.iter().map(|f| f.func.name.to_string()).collect();
            let help = did_you_mean(name, known.iter().map(String::as_str));
            diagnostics.push(error(format!("there is no operator `{name}`")).maybe_help(help));
            continue;
        };
        let lines = forward.dims_lines();
        if lines.is_empty() {
            let error = error(format!("`{name}` has no line from which that of its backward could follow"));
            diagnostics
                .push(error.also(forward.spans.name, "it is declared here").help(format!("give `{name}` a `dims:`")));
            continue;
        }
        let derived: Result<Vec<DimsLine>, String> = lines.iter().map(|line| backward(f, forward, line)).collect();
        match derived {
            Ok(lines) => found.push((at, lines)),
            Err(reason) => {
                let message = format!("the line of `{}` does not follow from that of `{name}`: {reason}", f.func.name);
                diagnostics.push(error(message).also(forward.spans.name, "it is declared here").help("write the line"));
            }
        }
    }
    found
}

/// A line of a backward, or why it has none.
fn backward(f: &NativeFunction, forward: &NativeFunction, line: &DimsLine) -> Result<DimsLine, String> {
    let mut gradients = line.results.iter();
    let mut derived = DimsLine::default();
    let mut given = Vec::new();
    for argument in f.func.tensor_arguments() {
        let name = argument.schema_name();
        let dims = match line.tensor(name) {
            Some(dims) => dims.to_vec(),
            None => {
                let result = gradients.next().ok_or_else(|| {
                    format!("`{name}` is neither a tensor of `{}` nor the gradient of a result", forward.func.name)
                })?;
                given.push(name);
                line.result(result).map(<[_]>::to_vec).unwrap_or_default()
            }
        };
        derived.tensors.push((unplaced(name), dims));
    }
    let results = gradients_of(f, forward, line)?;
    for name in &results {
        let dims = line.tensor(name).unwrap_or_default();
        if dims.iter().any(|dim| dim.value.or_one) {
            return Err(format!("a dimension of `{name}` can also be 1, and so can that of its gradient"));
        }
        derived.results.push(DimsResult::Dims(Spanned::new(dims.to_vec(), 0..0)));
    }
    words(line, &results, &mut derived);
    derived.nonempty.clone_from(&line.nonempty);
    let is_argument = |name: &Spanned<String>| derived.tensor(name).is_some();
    derived.index = line.index.iter().filter(|(tensor, _)| is_argument(tensor)).cloned().collect();
    if let [one] = given.as_slice() {
        derived.linear.push(unplaced(one));
    }
    match sound::errors(&derived, &[], &f.func).into_iter().next() {
        None => Ok(derived),
        Some(error) => Err(format!("it would be `{derived}`, and {}", error.message)),
    }
}

/// The tensors of the operator whose gradients the results are.
fn gradients_of<'l>(f: &NativeFunction, forward: &NativeFunction, line: &'l DimsLine) -> Result<Vec<&'l str>, String> {
    let names: Vec<&'l str> = line.tensors.iter().map(|(name, _)| name.value.as_str()).collect();
    let returned: Vec<_> = f.func.returns.iter().filter(|ret| ret.ty.is_tensor_like()).collect();
    let named: Option<Vec<&'l str>> = returned
        .iter()
        .map(|ret| names.iter().copied().find(|name| ret.name.as_deref().is_some_and(|own| is_gradient(own, name))))
        .collect();
    match named {
        Some(named) => Ok(named),
        None if returned.len() == names.len() => Ok(names),
        None => Err(format!(
            "it returns {} for the {} of `{}`; results named `grad_x` say whose gradients they are",
            plural(returned.len(), "tensor"),
            names.len(),
            forward.func.name,
        )),
    }
}

/// Whether a result's name says that it is the gradient of a tensor.
fn is_gradient(result: &str, tensor: &str) -> bool {
    let rest = ["grad_", "d_", "d"].into_iter().find_map(|prefix| result.strip_prefix(prefix));
    result == tensor || rest == Some(tensor) || result.strip_suffix("_grad") == Some(tensor)
}

/// The words of a backward with gradients for these tensors.
fn words(line: &DimsLine, results: &[&str], derived: &mut DimsLine) {
    for word in line.split() {
        let reduction = line.reduce.iter().find(|reduction| reduction.name == *word);
        if reduction.is_some_and(|reduction| reduction.combined != Combined::Sum) {
            continue;
        }
        let has = |name: &str| {
            let dims = line.tensor(name).unwrap_or_default();
            dims.iter().any(|dim| dim.value.base.splits_along(word))
        };
        let added = |name: &str| reduction.is_some_and(|r| r.added.iter().any(|added| added.value == name));
        let lacking: Vec<&&str> = results.iter().filter(|name| !has(name)).collect();
        let combined = match lacking.iter().filter(|name| added(name)).count() {
            0 => Combined::Sum,
            all if all == lacking.len() => Combined::Same,
            // Some are sums and others are not: the dimension stays whole.
            _ => continue,
        };
        match lacking.is_empty() {
            true => derived.map.push(unplaced(word)),
            false => derived.reduce.push(Reduction { name: unplaced(word), combined, added: Vec::new() }),
        }
    }
}

fn unplaced(name: &str) -> Spanned<String> {
    Spanned::new(name.to_owned(), 0..0)
}

/// The lines of variants of operators with one, by their places.
fn variants(functions: &[NativeFunction]) -> Vec<(usize, Dims)> {
    let variants = Variants::new(functions);
    let derived = |(at, f): (usize, &NativeFunction)| {
        let from = variants.variants_of(f).filter(|_| f.dims.is_none()).find(|other| other.dims.is_some())?;
        let lines: Option<Vec<DimsLine>> = from.dims_lines().iter().map(|line| variant(f, from, line)).collect();
        Some((at, Dims { lines: lines.filter(|lines| !lines.is_empty())?, source: DimsSource::Implied }))
    };
    functions.iter().enumerate().filter_map(derived).collect()
}

/// The line of a variant, which has other results and mutates other arguments.
fn variant(f: &NativeFunction, from: &NativeFunction, line: &DimsLine) -> Option<DimsLine> {
    // What the operator computes: its results, then what it mutates beside them.
    let is_result =
        |name: &str| line.results.iter().any(|r| matches!(r, DimsResult::Argument(own) if own.value == name));
    let mutated = from.func.tensor_arguments().filter(|a| a.is_write() && !is_result(a.schema_name()));
    let mut computed: Vec<&[Spanned<Dim>]> =
        line.results.iter().map(|result| line.result(result)).collect::<Option<_>>()?;
    for argument in mutated {
        computed.push(line.tensor(argument.schema_name())?);
    }
    let mut derived = DimsLine {
        map: line.map.clone(),
        reduce: line.reduce.clone(),
        nonempty: line.nonempty.clone(),
        ..DimsLine::default()
    };
    let outs: Vec<&str> = f.func.arguments.out.iter().map(Argument::schema_name).collect();
    for name in f.func.tensor_arguments().map(Argument::schema_name) {
        let out = outs.iter().position(|out| *out == name);
        let dims = match (line.tensor(name), out) {
            (Some(dims), _) => dims,
            (None, Some(out)) => *computed.get(out)?,
            (None, None) => return None,
        };
        derived.tensors.push((unplaced(name), dims.to_vec()));
    }
    let returned = f.func.returns.iter().filter(|ret| ret.ty.is_tensor_like());
    for (at, ret) in returned.enumerate() {
        let written = f.func.mutated_argument(ret);
        derived.results.push(match written {
            Some(argument) => DimsResult::Argument(unplaced(argument.schema_name())),
            None => DimsResult::Dims(Spanned::new(computed.get(at)?.to_vec(), 0..0)),
        });
    }
    let is_tensor = |name: &&Spanned<String>| derived.tensor(name).is_some();
    let is_mutated =
        |name: &&Spanned<String>| f.func.tensor_arguments().any(|a| a.is_write() && a.schema_name() == name.value);
    derived.linear = line.linear.iter().filter(is_tensor).cloned().collect();
    derived.scratch = line.scratch.iter().filter(is_mutated).cloned().collect();
    derived.index = line.index.iter().filter(|(tensor, _)| derived.tensor(tensor).is_some()).cloned().collect();
    sound::errors(&derived, from.dims_lines(), &f.func).is_empty().then_some(derived)
}
