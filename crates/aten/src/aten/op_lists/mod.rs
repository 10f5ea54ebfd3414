//! Files that list names: ATen's operators, interned strings and tags; and two sources that are
//! their templates alone.
//!
//! Invariant: lists are sorted, except ATenOpList.cpp, which keeps the order of the operators. All
//! operators are listed, selected or not.

use std::collections::BTreeSet;

use serde::Serialize;

use torchgen_base::render::Env;
use torchgen_base::write::Manager;
use torchgen_generators::managers;
use torchgen_generators::names::fixed;
use torchgen_generators::{Context, Outcome};
use torchgen_model::model::ATEN;
use torchgen_model::model::rules::Rules;

/// Alternative spellings of C++ operators, which cannot be names of symbols.
const CPP_OPERATOR_WORDS: [&str; 11] =
    ["and", "and_eq", "bitand", "bitor", "compl", "not", "not_eq", "or", "or_eq", "xor", "xor_eq"];

#[derive(Serialize)]
struct Operator<'a> {
    name: String,
    overload: &'a str,
}

#[derive(Serialize)]
struct Symbols<'a> {
    namespace: &'a str,
    names: BTreeSet<String>,
}

#[derive(Serialize)]
struct Tags<'a> {
    tags: &'a BTreeSet<String>,
}

/// Makes ATenOpList.cpp, Functions.cpp and TensorMethods.cpp. Rule: torchgen/gen.py,
/// `gen_source_files`.
pub(crate) fn sources(ctx: &Context) -> Outcome {
    let operators = ctx.fragments(ctx.functions, |f| {
        let view = Operator { name: f.func.name.name.to_string(), overload: &f.func.name.overload_name };
        Ok(ctx.renderer.fragment("torch/op_lists/operator.j2", &view)?)
    })?;
    let env = Env::from_iter([("aten_ops", operators)]);
    Ok(vec![
        ctx.file(managers::CPU, "Functions.cpp", "Functions.cpp", &Env::new())?,
        ctx.file(managers::CORE, "TensorMethods.cpp", "TensorMethods.cpp", &Env::new())?,
        ctx.file(managers::CORE, "ATenOpList.cpp", "ATenOpList.cpp", &env)?,
    ])
}

/// Where the enumeration of tags goes.
fn of_tags(ctx: &Context) -> Manager {
    if Rules::of_tables(ctx.target.tables).tags_are_header_only { managers::HEADER_ONLY } else { managers::CORE }
}

/// The files of [`headers`] without their contents.
pub(crate) fn header_names(ctx: &Context) -> Outcome {
    fixed(&[(managers::CORE, "aten_interned_strings.h"), (of_tags(ctx), "enum_tag.h")])
}

/// Makes aten_interned_strings.h and enum_tag.h. Rule: torchgen/gen.py, `gen_headers`.
pub(crate) fn headers(ctx: &Context) -> Outcome {
    let mut operators = BTreeSet::new();
    let mut attributes = BTreeSet::new();
    for f in ctx.functions {
        // An inplace operator adds the plain name too, whether or not an operator has that name.
        operators.insert(f.func.name.name.to_string());
        operators.insert(f.func.name.name.base.clone());
        attributes.extend(f.func.schema_order_arguments().map(|a| a.name.clone()));
    }
    operators.retain(|name| !CPP_OPERATOR_WORDS.contains(&name.as_str()));
    let symbols = |namespace, names| ctx.renderer.fragment("torch/op_lists/symbols.j2", &Symbols { namespace, names });
    let interned =
        Env::from_iter([("aten_symbols", symbols(ATEN, operators)?), ("attr_symbols", symbols("attr", attributes)?)]);
    let tags = ctx.renderer.fragment("torch/op_lists/tags.j2", &Tags { tags: ctx.tags })?;
    let tags = Env::from_iter([("enum_of_valid_tags", tags)]);
    Ok(vec![
        ctx.file(managers::CORE, "aten_interned_strings.h", "aten_interned_strings.h", &interned)?,
        ctx.file(of_tags(ctx), "enum_tag.h", "enum_tag.h", &tags)?,
    ])
}
