//! `torchgen-rs explain aten::add.Tensor`: shows what is known about an operator, and where it is
//! in the output.
//!
//! Invariant: this shows what generating from the same source path would do (in the ATen layout
//! with `--mps --xpu --mtia`, to include every kernel in the YAML); nothing is written. An error in
//! one entry hides nothing of the others but the lines of their output. The format is in
//! `templates/torch/explain`; `--json` prints the facts, as `model` does.

mod drawn;
pub(super) mod view;

use std::path::Path;

use self::view::Explanation;
use super::facts::input::{self, Input, Wanted};
use super::facts::{TorchFacts, TorchThing, traced};
use torchgen_base::diag::{Diagnostics, plural};
use torchgen_generators::args::ExplainFlags;
use torchgen_generators::query::{self, OperatorQuery};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::{Format, Question};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::line_of;
use torchgen_model::model::NativeFunction;

/// The facts about some operators. Beside errors in entries, further ones may just follow from
/// these, and are left out.
///
/// # Errors
/// As [`Input::things`].
pub(super) fn known_things(
    input: &Input<'_>,
    wanted: impl Fn(&NativeFunction) -> bool,
    session: &mut Session,
) -> Result<Vec<TorchThing>, JobError> {
    let found = session.diagnostics.has_errors().then(|| std::mem::take(&mut session.diagnostics));
    let things = input.things(wanted, session)?;
    if let Some(found) = found {
        session.diagnostics = found;
    }
    Ok(things)
}

/// Prints what is known about an operator.
pub(super) fn explain(
    question: &Question<'_>,
    flags: &ExplainFlags,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let Question { what, source, format } = *question;
    session.checks_only = true;
    let wanted = Wanted {
        source: Some(source.unwrap_or(Path::new("."))),
        layout: flags.layout,
        autograd_dir: flags.autograd_dir.as_deref(),
        torch: flags.release.torch,
        backend: None,
        lazy: false,
        without_keys: &input::ALL_KEYS,
    };
    let layout = input::settle(&wanted, session)?;
    let tables = session.tables.clone();
    let input = Input::read_operators(&wanted, layout, &tables, session)?;
    if let Some(error) = query::unknown(what, &input.all()) {
        // An operator whose own entry has an error may be missing.
        session.check_errors()?;
        return Err(error.into());
    }
    let query = OperatorQuery::new(what);
    let roots: Vec<&str> = input.functions().filter(|f| query.is(f)).map(|f| f.root_name()).collect();
    // The other variants of an operator are in its group.
    let mut things = known_things(&input, |f| roots.contains(&f.root_name()), session)?;
    let names: Vec<String> = input.functions().filter(|f| query.is(f)).map(|f| f.full_name()).collect();
    let is_asked = |thing: &TorchThing| matches!(thing.facts, TorchFacts::Operator(_)) && names.contains(&thing.name);
    if !session.diagnostics.has_errors() {
        traced(&mut things, is_asked, input, common, session)?;
        // Most warnings are about other operators; `check` reports all of them.
        session.diagnostics = Diagnostics::new();
    }
    let renderer = session.renderer("torch", &common.template_dir)?;
    let asked: Vec<&TorchThing> = things.iter().filter(|thing| is_asked(thing)).collect();
    let shown = match format {
        Format::Json => asked.iter().copied().map(line_of).collect(),
        Format::Text => {
            let explanations = asked.iter().filter_map(|thing| Explanation::of_thing(thing, &things));
            let texts = explanations.map(|each| renderer.fragment("torch/explain/operator.j2", &each));
            texts.collect::<Result<String, _>>()?
        }
        Format::Svg => renderer.fragment("torch/explain/operators.svg.j2", &drawn::drawn(&asked, &things, what))?,
        Format::Dot => renderer.fragment("kit/graph.dot.j2", &drawn::graph(&asked, &things))?,
    };
    session.host.print(&shown)?;
    // With errors, there are no files to name, and the rest of what is known was shown.
    session.check_errors()?;
    let said = format!("explained {}", plural(names.len(), "operator"));
    Ok(Summary { said: Some(said), silent: !common.verbose, ..Summary::default() })
}
