//! The sizes of `fake:` in the names of `dims:`.
//!
//! Invariant: a difference is one for some sizes that the line accepts. What cannot be compared is
//! not reported: generated tests compare it.

use crate::model::dims::{Dim, DimBase, DimsLine, SizeExpr};
use crate::model::outputs::member;
use torchgen_kit::expr::{Typed, TypedKind};
use torchgen_kit::schema::Spanned;

/// How a size of `fake:` differs from the dimensions of a result.
pub(super) fn difference(line: &DimsLine, size: &Typed, dims: &[Spanned<Dim>]) -> Option<String> {
    let TypedKind::List(parts) = &size.kind else { return None };
    let is_several = |part: &Typed| matches!(part.kind, TypedKind::Starred(_));
    let is_group = |dim: &Spanned<Dim>| matches!(dim.value.base, DimBase::Group(_)) || dim.value.at.is_some();
    if parts.iter().any(is_several) || dims.iter().any(is_group) {
        return None;
    }
    if parts.len() != dims.len() {
        return Some(format!("{} and {} dimensions", parts.len(), dims.len()));
    }
    let pairs = parts.iter().zip(dims).enumerate();
    pairs.into_iter().find_map(|(at, (part, dim))| {
        let given = named(line, part)?;
        let wanted = match &dim.value.base {
            DimBase::Name(name) => SizeExpr::Name(name.clone()),
            DimBase::Number(number) => SizeExpr::Number(*number),
            _ => return None,
        };
        (given != wanted).then(|| format!("the sizes `{given}` and `{wanted}` in dimension {at}"))
    })
}

/// The name that the line has for a size, or its number.
fn named(line: &DimsLine, size: &Typed) -> Option<SizeExpr> {
    match &size.kind {
        TypedKind::Int(number) => Some(SizeExpr::Number(*number)),
        TypedKind::Variable { name, .. } => Some(SizeExpr::Name(name.clone())),
        TypedKind::Call(name, arguments) if *name == member::SIZE => {
            let [Typed { kind: TypedKind::Variable { name, .. }, .. }, index] = arguments.as_slice() else {
                return None;
            };
            let dims = line.tensor(name)?;
            let is_plain =
                dims.iter().all(|dim| !matches!(dim.value.base, DimBase::Group(_)) && dim.value.at.is_none());
            let TypedKind::Int(index) = index.kind else { return None };
            match &dims.get(usize::try_from(index).ok()?).filter(|_| is_plain)?.value {
                Dim { base: DimBase::Name(name), or_one: false, .. } => Some(SizeExpr::Name(name.clone())),
                Dim { base: DimBase::Number(number), .. } => Some(SizeExpr::Number(*number)),
                _ => None,
            }
        }
        _ => None,
    }
}
