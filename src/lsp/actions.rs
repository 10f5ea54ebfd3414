//! What the server offers to write: kernels, derivatives, out variants.
//!
//! Invariant: what is written passes `check`, and does nothing in silence: a new kernel and a new
//! derivative fail when they are called. Kernels are those that `torchgen-rs kernels` prints.

use std::ffi::OsString;
use std::path::Path;

use gen_lsp_types::{CodeAction, CodeActionKind, WorkspaceEdit};
use serde::Serialize;
use serde_json::{Value, json};

use super::entries::{Entry, entries, entry_at};
use super::index::Thing;
use super::project::Project;
use super::server::{Known, Server};
use super::text::Text;
use super::uri::{path_of, uri_of};
use super::{edits, kernels, texts};

/// The name of the file of derivatives.
const DERIVATIVES: &str = "derivatives.yaml";

#[derive(Serialize)]
struct OutVariant<'a> {
    indent: String,
    name: &'a str,
}

#[derive(Serialize)]
struct Derivative<'a> {
    schema: &'a str,
    name: &'a str,
    arguments: Vec<&'a str>,
}

/// What can be written about the operator at a line.
pub(super) fn offered(server: &Server, path: &Path, text: &Text, line: usize) -> Vec<CodeAction> {
    let offer = || {
        let (project, known) = server.known(path)?;
        let entries = entries(text);
        let entry = entry_at(&entries, line).filter(|entry| entry.key == "func" && entry.lines.contains(&line))?;
        let thing =
            known.index.things_named(&entry.name).find(|thing| thing.fact("generated") == &Value::Bool(false))?;
        let all = [
            out_variant(known, path, text, entry, &thing),
            derivative(server, project, known, &thing),
            kernels_of(server, known, path, entry),
        ];
        Some(all.into_iter().flatten().collect())
    };
    offer().unwrap_or_default()
}

fn action(title: String, edit: Option<WorkspaceEdit>) -> CodeAction {
    CodeAction { title, kind: Some(CodeActionKind::Refactor), edit, ..CodeAction::default() }
}

/// `autogen:` for an operator that returns new tensors.
fn out_variant(known: &Known, path: &Path, text: &Text, entry: &Entry, thing: &Thing) -> Option<CodeAction> {
    let mut returns = thing.list("/parts").filter(|part| part["role"] == "return").peekable();
    let is_tensor = |part: &Value| part["type"] == "Tensor";
    let makes_tensors = returns.peek().is_some() && returns.all(is_tensor);
    let is_view = thing.fact("view") == &Value::Bool(true);
    if thing.fact("schema_kind") != "functional" || !makes_tensors || is_view {
        return None;
    }
    let base = thing.fact("operator").as_str()?;
    let name = match thing.fact("overload").as_str()? {
        "" => format!("{base}.out"),
        overload => format!("{base}.{overload}_out"),
    };
    // That of an inplace variant is written there, and one that exists is not generated again.
    if [name.as_str(), &format!("{base}_")].into_iter().any(|other| known.index.things_named(other).next().is_some())
        || !thing.list("/facts/autogen").collect::<Vec<_>>().is_empty()
    {
        return None;
    }
    let first = text.line(entry.lines.start);
    let indent = first.find("func")?;
    if first[..indent].contains('{') {
        return None;
    }
    let written = texts::rendered("editor/autogen.yaml.j2", &OutVariant { indent: " ".repeat(indent), name: &name })?;
    let last = entry.lines.end - 1;
    let end = text.position(last, text.line(last).len());
    let edit = edits::inserted(path, text, end, [written.trim_end()])?;
    Some(action(format!("Generate an out variant, `{name}`"), Some(edit)))
}

/// An entry of derivatives.yaml, whose formulas are to be written.
fn derivative(server: &Server, project: &Project, known: &Known, thing: &Thing) -> Option<CodeAction> {
    let is = |key: &str| thing.fact(key) == &Value::Bool(true);
    let has_one = thing.list("/facts/derivatives").next().is_some();
    let is_composite = thing.fact("composite")["implicit_autograd"] == true;
    if has_one || is_composite || !is("differentiable") || thing.fact("schema_kind") != "functional" {
        return None;
    }
    let is_tensor =
        |part: &&Value| part["role"] != "return" && part["type"].as_str().is_some_and(|of| of.starts_with("Tensor"));
    let arguments: Vec<&str> =
        thing.list("/parts").filter(is_tensor).filter_map(|part| part["name"].as_str()).collect();
    if arguments.is_empty() {
        return None;
    }
    let name = thing.short();
    let entry =
        texts::rendered("editor/derivative.yaml.j2", &Derivative { schema: thing.text("schema"), name, arguments })?;
    let own = server
        .texts_of(project, known)
        .into_iter()
        .find(|(path, _)| path.file_name().is_some_and(|own| own == DERIVATIVES));
    let edit = match own {
        Some((path, text)) => edits::appended(&path, &text, &entry)?,
        None if server.creates => edits::created(&project.source.join(DERIVATIVES), entry)?,
        None => return None,
    };
    Some(action(format!("Add a derivative of `{name}`, to be written"), Some(edit)))
}

/// The missing kernels of an operator; the client asks for the text when it is chosen.
fn kernels_of(server: &Server, known: &Known, path: &Path, entry: &Entry) -> Option<CodeAction> {
    let is_here = |of: &&torchgen_base::diag::Shown| {
        let place = of.place.as_ref().filter(|place| Path::new(&place.file) == path);
        place.is_some_and(|place| entry.lines.contains(&place.line.saturating_sub(1)))
    };
    let count = known.missing.iter().filter(is_here).count();
    let title = match count {
        0 => return None,
        1 => format!("Write the kernel of `{}`", entry.name),
        _ => format!("Write the {count} kernels of `{}`", entry.name),
    };
    let data = json!({ "uri": uri_of(path)?, "operator": entry.name });
    server.resolves.then(|| CodeAction { data: Some(data), ..action(title, None) })
}

/// The command whose output an action that was chosen writes, and the project.
pub(super) fn command(server: &Server, action: &CodeAction) -> Option<(Project, Vec<OsString>)> {
    let data = action.data.as_ref()?;
    let path = path_of(&data["uri"].as_str()?.into())?;
    let project = server.project_of(&path)?;
    let words = ["kernels", "--only", data["operator"].as_str()?].map(OsString::from);
    let command = project.command(words.into_iter().chain(kernels::flags(&project)));
    Some((project, command))
}
