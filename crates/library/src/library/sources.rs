//! `Library_<part>.cpp`: all that is generated for a part of the operators, in one source, and
//! `LibraryCUDA_<part>.cpp`: what only builds with CUDA have.
//!
//! Torch's headers are nearly all that a source costs, so there are few sources, which include no
//! more than they need. Of operators they include only headers of their own.
//!
//! Invariant: functions of different sections are in different namespaces.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use super::autograd;
use super::sections::{self, KernelSection};
use super::view::Skeleton;
use super::{Inputs, MANAGER, Part, backend_select, c_functions, dims, functionalization, taken};
use crate::formula::includes;
use torchgen_base::render::{Fragment, RenderError};
use torchgen_base::write::OutputFile;
use torchgen_generators::autograd_functions::{self, NodeTexts};
use torchgen_generators::size_check::has_checks;
use torchgen_generators::{Context, Outcome};

/// What the template of a source needs.
#[derive(Serialize)]
struct Source {
    /// The directory below `include/`.
    include_dir: String,
    /// Headers below it.
    headers: Vec<String>,
    /// All headers of torch's operators are included.
    whole: bool,
    /// The operators of torch that formulas call.
    torch_operators: BTreeSet<String>,
    /// The author has functions for formulas.
    manual: bool,
    /// There are structured kernels.
    structured: bool,
    /// There are nodes, or kernels that make some.
    differentiates: bool,
    sections: Sections,
}

/// The parts of the text, in their order.
#[derive(Default, Serialize)]
struct Sections {
    schema: Option<Fragment>,
    /// In the first source with operators.
    built_with_torch: Option<Fragment>,
    operators: Option<Fragment>,
    composite: Option<Fragment>,
    kernels: Vec<Fragment>,
    backend_select: Option<Fragment>,
    functionalization: Option<Fragment>,
    nodes: Option<Fragment>,
    inplace_or_view: Option<Fragment>,
    autograd: Option<Fragment>,
    c_functions: Option<Fragment>,
}

impl Sections {
    fn is_empty(&self) -> bool {
        let single = [
            &self.schema,
            &self.operators,
            &self.composite,
            &self.backend_select,
            &self.functionalization,
            &self.nodes,
            &self.inplace_or_view,
            &self.autograd,
        ];
        self.kernels.is_empty() && single.iter().all(|section| section.is_none())
    }
}

/// Makes the sources, and the header of the nodes.
pub(crate) fn run(inputs: &Inputs) -> Outcome {
    let context = &inputs.bodies;
    let differentiates = inputs.wants_autograd
        && !context.flags.skip_dispatcher_op_registration
        && context.target.defines_operators
        && !context.functions.is_empty();
    let nodes = if differentiates { autograd_functions::nodes(&inputs.autograd) } else { Ok(Vec::new()) };
    let mut errors = Vec::new();
    let nodes = taken(nodes, &mut errors);
    let mut files = autograd::shared(&inputs.autograd, &nodes)?;
    if inputs.wants_sources {
        files.extend(dims::source(&inputs.context, false)?);
    }
    let first = inputs.parts.iter().find(|part| !part.context.functions.is_empty()).map(|part| part.number);
    let made: Vec<Outcome> = inputs
        .parts
        .par_iter()
        .map(|part| sources(inputs, part, first == Some(part.number), differentiates, &nodes))
        .collect();
    for outcome in made {
        files.extend(taken(outcome, &mut errors));
    }
    if errors.is_empty() { Ok(files) } else { Err(errors.into()) }
}

/// The sources of a part.
fn sources(inputs: &Inputs, part: &Part, is_first: bool, differentiates: bool, nodes: &[NodeTexts]) -> Outcome {
    let ctx = &part.context;
    let includes = includes::of_formulas(part, inputs.derivatives);
    let stock = !ctx.target.defines_operators;
    let whole = stock || differentiates && (inputs.manual || !includes.are_known);
    let mut errors = Vec::new();
    let mut made = Sections::default();
    let mut kernels = Vec::new();
    if inputs.wants_sources {
        let skeleton = Skeleton::new(ctx);
        made.schema = taken(sections::schema(ctx, &skeleton), &mut errors);
        made.operators = taken(sections::operators(ctx, &skeleton), &mut errors);
        if is_first && made.operators.is_some() {
            made.built_with_torch = taken(sections::built_with_torch(ctx, &skeleton).map(Some), &mut errors);
        }
        made.composite = taken(sections::composite(ctx, &skeleton), &mut errors);
        made.backend_select = taken(backend_select::section(ctx), &mut errors);
        made.functionalization = taken(functionalization::section(ctx), &mut errors);
        kernels = taken(sections::kernels(ctx, &skeleton), &mut errors);
        made.c_functions = taken(c_functions::section(ctx).map_err(Into::into), &mut errors);
    }
    let mut of_autograd = autograd::Sections::default();
    let mut saves_values = false;
    if differentiates {
        let own: Vec<&NodeTexts> = nodes.iter().filter(|node| part.has(&node.operator)).collect();
        saves_values = own.iter().any(|node| node.saves_values);
        of_autograd = taken(autograd::sections(&part.autograd, &own, whole), &mut errors);
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let (for_cuda, kernels): (Vec<_>, Vec<_>) = kernels.into_iter().partition(|section| section.needs_cuda);
    let structured = |kernels: &[KernelSection]| kernels.iter().any(|section| section.structured);
    let texts = |kernels: Vec<KernelSection>| kernels.into_iter().map(|section| section.text).collect();
    let mut headers = own_headers(ctx, &includes.own);
    let checks_sizes = has_checks(ctx).then(|| "DimsOperators.h".to_owned());
    headers.extend(checks_sizes.clone());
    let of_nodes = [("AutogradFunctions.h", whole), ("SavedValues.h", saves_values), ("Support.h", !whole)];
    let of_nodes = of_nodes.into_iter().filter(|(_, is_included)| *is_included && of_autograd.nodes.is_some());
    headers.extend(of_nodes.map(|(name, _)| name.to_owned()));
    let source = Source {
        include_dir: ctx.namespaces.include_dir.clone(),
        headers,
        whole,
        torch_operators: torch_operators(&made, &kernels, of_autograd.differentiates, includes.torch),
        manual: inputs.manual,
        structured: structured(&kernels),
        differentiates: of_autograd.differentiates,
        sections: Sections {
            kernels: texts(kernels),
            nodes: of_autograd.nodes,
            inplace_or_view: of_autograd.inplace_or_view,
            autograd: of_autograd.autograd,
            ..made
        },
    };
    let cuda = Source {
        include_dir: ctx.namespaces.include_dir.clone(),
        headers: own_headers(ctx, &IndexSet::new()).into_iter().chain(checks_sizes).collect(),
        whole: stock,
        torch_operators: torch_operators(&Sections::default(), &for_cuda, false, BTreeSet::new()),
        manual: false,
        structured: structured(&for_cuda),
        differentiates: false,
        sections: Sections { kernels: texts(for_cuda), ..Sections::default() },
    };
    let mut files = Vec::new();
    for (name, source) in [("Library", source), ("LibraryCUDA", cuda)] {
        if !source.sections.is_empty() {
            files.push(file(ctx, &format!("{name}_{}.cpp", part.number), &source)?);
        }
    }
    Ok(files)
}

/// The headers of the part's operators, and of others that its formulas call.
fn own_headers(ctx: &Context, called: &IndexSet<String>) -> Vec<String> {
    if !ctx.target.defines_operators {
        return vec!["NativeFunctions.h".to_owned()];
    }
    if ctx.functions.is_empty() {
        return Vec::new();
    }
    if !ctx.flags.per_operator_headers {
        return ["Functions.h", "NativeFunctions.h"].map(str::to_owned).into();
    }
    let roots: BTreeSet<&str> = ctx.grouped.iter().map(|item| item.root_name()).collect();
    let others = called.iter().filter(|name| !roots.contains(name.as_str()));
    let mut headers: Vec<String> = others.map(|name| format!("ops/{name}.h")).collect();
    headers.extend(roots.iter().flat_map(|name| [".h", "_native.h"].map(|suffix| format!("ops/{name}{suffix}"))));
    headers.sort_unstable();
    headers
}

/// The operators of torch that are called by name.
fn torch_operators(
    sections: &Sections,
    kernels: &[KernelSection],
    differentiates: bool,
    formulas: BTreeSet<String>,
) -> BTreeSet<String> {
    let mut called = formulas;
    if differentiates {
        called.extend(["_efficientzerotensor", "zeros"].map(str::to_owned));
    }
    if sections.functionalization.is_some() {
        called.insert("copy".to_owned());
    }
    if kernels.iter().any(|section| section.structured) {
        called.extend(["empty", "empty_strided"].map(str::to_owned));
    }
    called
}

fn file(ctx: &Context, name: &str, view: &Source) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment("torch/library/Library.cpp.j2", view)?;
    Ok(OutputFile::new(MANAGER, format!("src/{name}"), text))
}
