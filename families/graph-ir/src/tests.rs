//! Tests of the family with texts in memory.

use super::files::{self, Options};
use super::{check, prelude, records, schema};
use torchgen_base::diag::{self, Color, Diagnostics, Sources};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_base::yaml;
use torchgen_kit::driver::context::FileContext;

/// Reads files; their errors as text, or what is generated.
fn run(texts: &[&str], options: &Options) -> Result<Vec<OutputFile>, String> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let mut files = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let file = sources.add(format!("{at}.yaml"), (*text).to_owned());
        let root = yaml::parse(&sources, file, yaml::Options::LIBRARY, &mut diagnostics);
        files.extend(root.map(|root| records::read_records(root, &mut diagnostics)));
    }
    files.push(prelude::missing(&files, &mut sources, &mut diagnostics));
    let (family, rewrites) = schema::family(files, &mut diagnostics);
    let uses = check::check_family(&family, &mut diagnostics);
    if !diagnostics.is_empty() {
        let shown = diagnostics.into_sorted();
        let shown: Vec<String> = shown.iter().map(|one| diag::human(one, &sources, Color::Never)).collect();
        return Err(shown.join("\n"));
    }
    torchgen_embedded::serve((crate::FAMILY.files)());
    let renderer = Renderer::new("graph_ir").expect("the embedded templates compile");
    let context = FileContext::new(&renderer, Manager::new("output", None));
    files::files(&family, &rewrites, uses, options, None, context).map_err(|errors| format!("{errors:?}"))
}

fn all() -> Options {
    Options { nodes: true, instructions: true, model: Some(String::new()), self_test: true, dot: true, shards: None }
}

#[test]
fn glows_lists_generate() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("example");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let files = run(&texts, &all()).unwrap_or_else(|errors| panic!("{errors}"));
    let text = |path: &str| files.iter().find(|file| file.path == path).expect(path).contents.to_string();
    let list = text("AutoGenNodes.def");
    let nodes = texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("- node: "));
    for (node, _) in nodes.filter_map(|schema| schema.split_once('(')) {
        assert!(list.contains(&format!("DEF_NODE({node}Node, {node})\n")), "{node}");
    }
    assert!(text("AutoGenIRGen.h").contains("case Kinded::Kind::ConvolutionNodeKind"), "nodes become instructions");
}

/// The file of that name, generated from a text.
fn generated(text: &str, path: &str) -> String {
    let files = run(&[text], &all()).unwrap_or_else(|errors| panic!("{errors}"));
    files.iter().find(|file| file.path == path).expect(path).contents.to_string()
}

/// Names that generated functions use for something else are spelled differently there, and only
/// there.
#[test]
fn parts_have_any_name_that_an_author_would_choose() {
    let text = "family: graph-ir
namespace: mine
ops:
- node: >-
    Attention(Tensor Query, Tensor Key, Tensor Value, Tensor N, Tensor Node, Tensor NodeValue, Tensor V) ->
    (Tensor A, Tensor B)
- instr: >-
    Attention(Tensor Query, Tensor Key, Tensor Value, Tensor N, Tensor Node, Tensor NodeValue, Tensor V) ->
    (Tensor A, Tensor B)
  from_node: Attention
- node: Put(Tensor op, Tensor dict, *, Type TypeRef, int uniqueName, int name) -> (Tensor x, Tensor opOutTy)
";
    let nodes = generated(text, "AutoGenNodes.h");
    let words = |text: &str, from: &str| text.split(from).nth(1).map(|rest| rest.split(')').next().map(str::to_owned));
    let parameters = "StringRef name, TypeRef A, TypeRef B, NodeValue Query, NodeValue Key, NodeValue Value, \
                      NodeValue N, NodeValue NodeArg, NodeValue NodeValueArg, NodeValue V";
    assert_eq!(words(&nodes, "  AttentionNode("), Some(Some(parameters.to_owned())));
    let builder = generated(text, "AutoGenIRBuilder.h");
    let parameters = "StringRef name, Value *A, Value *B, Value *Query, Value *Key, Value *ValueArg, Value *NArg, \
                      Value *Node, Value *NodeValueArg, Value *V";
    assert_eq!(words(&builder, "createAttentionInst("), Some(Some(parameters.to_owned())));
    let import = generated(text, "AutoGenNodesImport.h");
    assert!(import.contains("NodeValue opArg;") && import.contains("op.input(0)"), "{import}");
}
