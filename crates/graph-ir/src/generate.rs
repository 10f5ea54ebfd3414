//! The files of a run: the template and the view of each.
//!
//! Invariant: the order of the files does not depend on the number of threads.

use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::context::{FileContext, ViewFile};

use super::check::{self, Plan};
use super::model::{Family, Instruction};
use super::prelude::{self, Uses};
use super::view;

/// What is generated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// A header of the user's instead of the support library.
    pub(crate) support: Option<String>,
    pub(crate) nodes: bool,
    pub(crate) instructions: bool,
    pub(crate) docs: bool,
    pub(crate) model: bool,
    pub(crate) self_test: bool,
    pub(crate) dot: bool,
}

/// The classes of the support library, which have kinds in any case.
const OWN_NODES: [&str; 3] = ["Storage", "Constant", "Placeholder"];
const OWN_VALUES: [&str; 1] = ["WeightVar"];

/// A template, the file that it makes, and which view it takes.
type Entry = (&'static str, Source);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Nodes,
    Instructions,
    Support,
}

/// The files about nodes: the first five are Glow's.
const NODE_FILES: [Entry; 5] = [
    ("AutoGenNodes.h", Source::Nodes),
    ("AutoGenNodes.cpp", Source::Nodes),
    ("AutoGenNodes.def", Source::Nodes),
    ("AutoGenNodesImport.h", Source::Nodes),
    ("AutoGenNodesExport.h", Source::Nodes),
];
/// The files about instructions.
const INSTRUCTION_FILES: [Entry; 6] = [
    ("AutoGenInstr.h", Source::Instructions),
    ("AutoGenInstr.cpp", Source::Instructions),
    ("AutoGenInstr.def", Source::Instructions),
    ("AutoGenIRBuilder.h", Source::Instructions),
    ("AutoGenIRBuilder.cpp", Source::Instructions),
    ("AutoGenIRGen.h", Source::Instructions),
];
/// The support library, as far as every family needs it.
const SUPPORT_FILES: [Entry; 11] = [
    ("IRTypes.h", Source::Support),
    ("IRTypes.cpp", Source::Support),
    ("IRGraph.h", Source::Support),
    ("IRGraph.cpp", Source::Support),
    ("IRDispatch.h", Source::Support),
    ("IRDispatch.cpp", Source::Support),
    ("IRSerialize.h", Source::Support),
    ("IRSerialize.cpp", Source::Support),
    ("IRSupport.h", Source::Support),
    ("AutoGenFactories.h", Source::Nodes),
    ("AutoGenFactories.cpp", Source::Nodes),
];
/// What a family that infers shapes needs further, over base classes of the user's too.
const SHAPE_FILES: [Entry; 2] = [("IRShapes.h", Source::Nodes), ("IRShapes.cpp", Source::Nodes)];
/// What a family with gradients needs further.
const GRADIENT_FILES: [Entry; 2] = [("IRGrad.h", Source::Support), ("IRGrad.cpp", Source::Support)];
/// What a family with instructions needs further.
const INSTRUCTION_SUPPORT: [Entry; 4] = [
    ("IRInstr.h", Source::Support),
    ("IRInstr.cpp", Source::Support),
    ("IRGen.h", Source::Support),
    ("IRGen.cpp", Source::Support),
];

/// Checks the family; the plans of lowering if nothing is wrong.
pub(crate) fn check(family: &Family, diagnostics: &mut Diagnostics) -> Uses {
    check::check(family, diagnostics);
    prelude::check(family, diagnostics)
}

/// Makes all files of a family that was checked.
///
/// # Errors
/// A template that cannot be rendered.
pub(crate) fn files(
    family: &Family,
    uses: Uses,
    options: &Options,
    context: FileContext,
) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let plans: Vec<(&Instruction, Plan)> = family
        .instructions
        .iter()
        .filter_map(|instruction| {
            let lowering = instruction.lowering.as_ref()?;
            // Errors were reported before.
            let plan = check::plan(family, instruction, lowering, &mut Diagnostics::new())?;
            Some((instruction, plan))
        })
        .collect();
    let own = options.support.is_none();
    let names = |own_names: &[&str], declared: &[String]| -> Vec<String> {
        let fixed = own_names.iter().filter(|_| own).map(|name| (*name).to_owned());
        let more = declared.iter().filter(|name| !own || !own_names.contains(&name.as_str()));
        fixed.chain(more.cloned()).collect()
    };
    let header = |default: &'static str| options.support.as_deref().unwrap_or(default);
    let nodes = view::nodes(family, header("IRGraph.h"), names(&OWN_NODES, &family.declared_nodes));
    let headers = view::Headers {
        instructions: header("IRInstr.h"),
        builder: header("IRSupport.h"),
        insert: if own { "insert" } else { "F_->pushInstr" },
    };
    let values = names(&OWN_VALUES, &family.declared_values);
    let instructions = view::instructions(family, &plans, &headers, &family.declared_instructions, &values);
    let support = view::support(family, uses, options.dot);
    let [nodes, instructions, support] = [View::new(&nodes), View::new(&instructions), View::new(&support)];

    let mut entries: Vec<Entry> = Vec::new();
    let has_instructions = !family.instructions.is_empty();
    if options.nodes {
        entries.extend(NODE_FILES);
    }
    if options.instructions && has_instructions {
        entries.extend(INSTRUCTION_FILES);
    }
    entries.push(("IRKit.h", Source::Support));
    entries.extend(SHAPE_FILES.iter().filter(|_| family.infers_shapes()));
    if own {
        entries.extend(SUPPORT_FILES);
        entries.extend(GRADIENT_FILES.iter().filter(|_| uses.gradients));
        entries.extend(INSTRUCTION_SUPPORT.iter().filter(|_| has_instructions && options.instructions));
    }
    let mut files: Vec<ViewFile> = entries
        .into_iter()
        .map(|(path, source)| {
            let view = match source {
                Source::Nodes => &nodes,
                Source::Instructions => &instructions,
                Source::Support => &support,
            };
            ViewFile { path, template: format!("graph_ir/{path}.j2"), view }
        })
        .collect();
    let self_test = (options.self_test && own).then(|| View::new(&view::self_test(family)));
    let docs = options.docs.then(|| View::new(&view::docs(family)));
    for (path, view) in [("ir_selftest.cpp", &self_test), ("ir_ops.md", &docs)] {
        files.extend(view.iter().map(|view| ViewFile { path, template: format!("graph_ir/{path}.j2"), view }));
    }
    let mut made = context.view_files(&files)?;
    if options.model {
        let mut text = serde_json::to_string_pretty(&view::model(family)).expect("names and texts");
        text.push('\n');
        made.push(OutputFile::new(context.manager, "ir_model.json", text));
    }
    Ok(made)
}
