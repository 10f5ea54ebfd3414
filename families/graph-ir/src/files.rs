//! The files, and the template and the view of each.
//!
//! Invariant: the list of files depends on flags, and on which kinds of records there are.

use torchgen_base::diag::Diagnostics;
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::changes::report::Page;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::context::{FileContext, PlannedFile};

use super::check::{self, Plan};
use super::model::{Family, Instruction};
use super::prelude::Uses;
use super::rewrite::RewriteSet;
use super::view;

/// What is generated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) nodes: bool,
    pub(crate) instructions: bool,
    /// The model as data, if it is asked for.
    pub(crate) model: Option<String>,
    pub(crate) self_test: bool,
    pub(crate) dot: bool,
    /// How many sources have the methods of all nodes, and as many those of all instructions.
    pub(crate) shards: Option<usize>,
}

/// How many classes a source has at most, unless a flag or a build with a fixed list of files says
/// how many sources there are.
const CLASSES: usize = 250;

/// The classes of the support library, which have kinds in any case.
const OWN_NODES: [&str; 3] = ["Storage", "Constant", "Placeholder"];
const OWN_VALUES: [&str; 1] = ["WeightVar"];

/// A file, and the view of its template `graph_ir/<file>.j2`, or that it is a source.
type Entry = (&'static str, Source);

/// The views that several files share. A file without one is the C++ source `graph_ir/<file>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Nodes,
    Rewrites,
    Instructions,
    Support,
    Plain,
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
const SHAPE_FILES: [Entry; 2] = [("IRShapes.h", Source::Nodes), ("IRShapes.cpp", Source::Plain)];
/// What a family with gradients needs further.
const GRADIENT_FILES: [Entry; 2] = [("IRGrad.h", Source::Support), ("IRGrad.cpp", Source::Support)];
/// What a family with rules needs further.
const REWRITE_FILES: [Entry; 3] =
    [("IRRules.h", Source::Rewrites), ("IRRuleWords.h", Source::Rewrites), ("IRRules.cpp", Source::Rewrites)];
/// What a family with instructions needs further.
const INSTRUCTION_SUPPORT: [Entry; 4] = [
    ("IRInstr.h", Source::Support),
    ("IRInstr.cpp", Source::Support),
    ("IRGen.h", Source::Plain),
    ("IRGen.cpp", Source::Support),
];

/// Makes all files of a family that was checked.
pub(crate) fn files(
    family: &Family,
    set: &RewriteSet,
    uses: Uses,
    options: &Options,
    changes: Option<&Page>,
    context: FileContext,
) -> Result<Vec<OutputFile>, JobError> {
    let own = family.support.is_none();
    let names = |own_names: &[&str], declared: &[String]| -> Vec<String> {
        let fixed = own_names.iter().filter(|_| own).map(|name| (*name).to_owned());
        let more = declared.iter().filter(|name| !own || !own_names.contains(&name.as_str()));
        fixed.chain(more.cloned()).collect()
    };
    let nodes = view::nodes(family, names(&OWN_NODES, &family.declared_nodes));
    let values = names(&OWN_VALUES, &family.declared_values);
    let instructions = view::instructions(family, &plans(family), &family.declared_instructions, &values);
    let support = view::support(family, uses, options.dot);
    let count = |classes: usize| options.shards.unwrap_or(if own { classes.div_ceil(CLASSES) } else { 1 });
    let (node_count, instruction_count) = (family.nodes.len(), family.instructions.len());
    let node_shards = view::shards(&nodes, node_count, count(node_count));
    let instruction_shards = view::shards(&instructions, instruction_count, count(instruction_count));
    let node_shards: Vec<View> = node_shards.iter().map(View::new).collect();
    let instruction_shards: Vec<View> = instruction_shards.iter().map(View::new).collect();
    let [nodes, instructions, support] = [View::new(&nodes), View::new(&instructions), View::new(&support)];
    let rewrites = (!set.rules.is_empty()).then(|| View::new(&view::rewrites(family, set)));
    let self_test = (options.self_test && own).then(|| View::new(&view::self_test(family)));
    let changes = changes.map(View::new);

    let words = [("torchgen_comment", view::COMMENT.to_owned()), ("torchgen_support", family.namespace.clone())];
    let template = |path: &'static str, view| PlannedFile::new(path, format!("graph_ir/{path}.j2"), view);
    let mut table: Vec<PlannedFile> = Vec::new();
    for (path, source) in entries(family, uses, options) {
        let shards = match path {
            "AutoGenNodes.cpp" => node_shards.as_slice(),
            "AutoGenInstr.cpp" => instruction_shards.as_slice(),
            _ => &[],
        };
        if let [first, more @ ..] = shards {
            table.push(template(path, first));
            let stem = path.trim_end_matches(".cpp");
            let number =
                |(at, view)| PlannedFile::new(format!("{stem}_{}.cpp", at + 1), format!("graph_ir/{path}.j2"), view);
            table.extend(more.iter().enumerate().map(number));
            continue;
        }
        let view = match source {
            Source::Nodes => &nodes,
            Source::Instructions => &instructions,
            Source::Support => &support,
            Source::Rewrites => match &rewrites {
                Some(view) => view,
                // Most families have no rules.
                None => continue,
            },
            Source::Plain => {
                table.push(PlannedFile::plain(path, format!("graph_ir/{path}"), &words));
                continue;
            }
        };
        table.push(template(path, view));
    }
    table.extend(self_test.iter().map(|view| template("ir_selftest.cpp", view)));
    let rules_test = rewrites.iter().filter(|_| options.self_test && own);
    table.extend(rules_test.map(|view| template("ir_rules_test.cpp", view)));
    table.extend(options.model.iter().map(|text| PlannedFile::data("ir_model.jsonl", text.clone())));
    table.extend(changes.iter().map(|view| PlannedFile::new("ir_changes.md", "kit/changes.md.j2", view)));
    context.make(table)
}

/// How nodes are lowered to instructions.
fn plans(family: &Family) -> Vec<(&Instruction, Plan<'_>)> {
    let plan = |instruction| {
        // Errors were reported before.
        let plan = check::plan(family, instruction, instruction.lowering.as_ref()?, &mut Diagnostics::new())?;
        Some((instruction, plan))
    };
    family.instructions.iter().filter_map(plan).collect()
}

/// The files that these options select, without documentation.
fn entries(family: &Family, uses: Uses, options: &Options) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let has_instructions = options.instructions && !family.instructions.is_empty();
    if options.nodes {
        entries.extend(NODE_FILES);
    }
    if has_instructions {
        entries.extend(INSTRUCTION_FILES);
    }
    entries.push(("IRKit.h", Source::Support));
    if family.infers_shapes() {
        entries.extend(SHAPE_FILES);
    }
    if options.nodes {
        entries.extend(REWRITE_FILES);
    }
    if family.support.is_none() {
        entries.extend(SUPPORT_FILES);
        entries.extend(GRADIENT_FILES.iter().filter(|_| uses.gradients));
        entries.extend(INSTRUCTION_SUPPORT.iter().filter(|_| has_instructions));
    }
    entries
}
