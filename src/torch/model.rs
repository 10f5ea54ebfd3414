//! `torchgen-rs model` on PyTorch's operators or on a library.
//!
//! Invariant: everything is in [`facts`](super::facts); here are the header and the selection.
//! Without outputs, facts become lines where they are made, so that few of them are in memory at a
//! time.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use super::facts::derived::{self, WantedThings};
use super::facts::input::{self, Input, Wanted};
use super::facts::{TorchFacts, TorchThing, traced};
use super::foreign;
use torchgen_base::diag::Diagnostic;
use torchgen_generators::args::{AlsoKind, ModelFlags};
use torchgen_generators::layout::Layout;
use torchgen_generators::query::{self, OperatorQuery};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::ModelQuestion;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{self, Header, Lines, PIECE};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::release;

/// The lines of the operators and their groups.
pub(super) fn model(
    question: &ModelQuestion<'_>,
    flags: &ModelFlags,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Lines, JobError> {
    let here = std::path::Path::new(".");
    if flags.foreign {
        let things = foreign::things(question.source.unwrap_or(here), session)?;
        let header = Header::of_family("torch", things.len());
        return Ok(Lines::new(&header, vec![facts::lines_of(&things)]));
    }
    let wanted = Wanted {
        source: question.source.or_else(|| flags.release.torch.is_none().then_some(here)),
        layout: flags.layout,
        autograd_dir: flags.autograd_dir.as_deref(),
        torch: flags.release.torch,
        backend: flags.backend_yaml.as_deref(),
        lazy: flags.lazy,
        without_keys: &input::ALL_KEYS,
    };
    let layout = input::settle(&wanted, session)?;
    let tables = session.tables.clone();
    let input = Input::read_operators(&wanted, layout, &tables, session)?;
    session.check_errors()?;
    let also = |kind| flags.also.contains(&kind);
    let asked = WantedThings { kernels: also(AlsoKind::Kernels), formulas: also(AlsoKind::Formulas) };
    if asked.formulas && !input.may_have_formulas() {
        let error = Diagnostic::new(&codes::USAGE, "`--also formulas` needs derivatives.yaml, and there is none here");
        return Err(error.help("name its directory with `--autograd-dir`").into());
    }
    for word in question.only {
        if let Some(error) = query::unknown(word, &input.all()) {
            return Err(error.into());
        }
    }
    let queries: Vec<OperatorQuery<'_>> = question.only.iter().map(|word| OperatorQuery::new(word)).collect();
    let is_asked = |f: &NativeFunction| queries.is_empty() || queries.iter().any(|query| query.is(f));
    let lines_of = |things: &[TorchThing]| (things.len(), facts::lines_of(things));
    let pieces: Vec<(usize, String)> = if question.outputs || asked != WantedThings::default() {
        let mut things = input.things(is_asked, session)?;
        session.check_errors()?;
        if question.outputs {
            let is_operator = |thing: &TorchThing| matches!(thing.facts, TorchFacts::Operator(_));
            traced(&mut things, is_operator, input, common, session)?;
            session.timings.lap("outputs");
        }
        let more = derived::things(asked, &things);
        things.par_chunks(PIECE).chain(more.par_chunks(PIECE)).map(lines_of).collect()
    } else {
        input.pieces(is_asked, session, |things| lines_of(&things))?
    };
    session.check_errors()?;
    let things = pieces.iter().map(|(count, _)| count).sum();
    let torch = (layout == Layout::Aten).then(|| release::settled(session)).flatten();
    let family = if layout == Layout::Aten { "torch" } else { "library" };
    let header = Header { torch: torch.map(|torch| torch.to_string()), ..Header::of_family(family, things) };
    let lines = Lines::new(&header, pieces.into_iter().map(|(_, lines)| lines).collect());
    session.timings.lap("json");
    Ok(lines)
}
