//! RegisterSchema.cpp: the schemas of all selected operators, for the dispatcher.
//!
//! Invariant: each namespace has its own library and its own numbering of tag lists. Rule:
//! torchgen/gen.py, `RegisterSchema` and `get_native_function_schema_registrations`.

use indexmap::{IndexMap, IndexSet};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use torchgen_api::cpp_string;
use torchgen_base::render::{Env, Fragment, RenderError, Renderer, Value};
use torchgen_generators::{Context, Outcome, managers};
use torchgen_model::model::{ATEN, NativeFunction};

/// Namespaces that libtorch defines elsewhere and that can only be extended. Rule:
/// torchgen/model.py, `FRAGMENT_NAMESPACES`.
const FRAGMENT_NAMESPACES: [&str; 2] = ["quantized", "quantized_decomposed"];

/// The schemas of one namespace.
#[derive(Serialize)]
pub(crate) struct Library<'a> {
    namespace: &'a str,
    /// Others also define the namespace.
    fragment: bool,
    operators: Vec<Operator<'a>>,
}

#[derive(Serialize)]
struct Operator<'a> {
    /// The schema as a C++ string.
    schema: String,
    /// The number of its list of tags, if it has one.
    tags: Option<usize>,
    /// The tags, if this is the first operator with exactly these.
    new_tags: Option<Vec<&'a str>>,
}

/// Makes RegisterSchema.cpp.
pub fn run(ctx: &Context) -> Outcome {
    let (mut aten, mut others) = (Value::from(Vec::<Fragment>::new()), Value::from(Vec::<Fragment>::new()));
    if !ctx.flags.skip_dispatcher_op_registration {
        let selected =
            |f: &NativeFunction| ctx.flags.force_schema_registration || ctx.selector.is_native_function_selected(f);
        let made = registrations(ctx.renderer, ctx.functions, selected)?;
        (aten, others) = (made.aten.into(), made.others.into());
    }
    let env = Env::from([("aten_schema_registrations", aten), ("schema_registrations", others)]);
    let name = "RegisterSchema.cpp";
    Ok(vec![ctx.file(managers::CPU, name, name, &env)?])
}

/// The registrations of schemas.
pub struct Registrations {
    /// Those of PyTorch's own namespace, whose library others write.
    pub aten: Vec<Fragment>,
    /// The libraries of all other namespaces.
    pub others: String,
}

/// The registrations of the selected ones of some operators. A namespace without any has a library
/// too.
pub fn registrations(
    renderer: &Renderer,
    functions: &[NativeFunction],
    selected: impl Fn(&NativeFunction) -> bool,
) -> Result<Registrations, RenderError> {
    let mut made = Registrations { aten: Vec::new(), others: String::new() };
    for library in libraries(renderer, functions, selected) {
        if library.namespace == ATEN {
            let definition = |op| renderer.fragment("torch/register_schema/definition.j2", op).map(Fragment::new);
            made.aten = library.operators.par_iter().map(definition).collect::<Result<Vec<_>, _>>()?;
        } else {
            made.others.push_str(&renderer.fragment("torch/register_schema/library.j2", &library)?);
        }
    }
    Ok(made)
}

/// The namespaces in order of first appearance, including those without selected operators.
fn libraries<'a>(
    renderer: &Renderer,
    functions: &'a [NativeFunction],
    selected: impl Fn(&NativeFunction) -> bool,
) -> Vec<Library<'a>> {
    let mut namespaces: IndexMap<&str, Vec<&NativeFunction>> = IndexMap::new();
    for f in functions {
        namespaces.entry(&*f.namespace).or_default().extend(selected(f).then_some(f));
    }
    namespaces.into_iter().map(|(namespace, functions)| Library::new(renderer, namespace, &functions)).collect()
}

impl<'a> Library<'a> {
    /// The schemas of these operators, which share a namespace.
    pub(crate) fn new(renderer: &Renderer, namespace: &'a str, functions: &[&'a NativeFunction]) -> Self {
        let mut known = IndexSet::new();
        let operators = functions.iter().map(|f| {
            let mut operator = Operator {
                schema: renderer.about([*f]).marked(cpp_string(&f.func.to_string())),
                tags: None,
                new_tags: None,
            };
            if !f.tags.is_empty() {
                let (index, new) = known.insert_full(&f.tags);
                operator.tags = Some(index);
                operator.new_tags = new.then(|| f.tags.iter().map(String::as_str).collect());
            }
            operator
        });
        let operators = operators.collect();
        Library { namespace, fragment: FRAGMENT_NAMESPACES.contains(&namespace), operators }
    }
}
