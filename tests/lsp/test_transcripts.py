"""The language server as an editor's client sees it: each request on a library, on PyTorch's files and on
each family's example.

What each project's server answers is compared with a transcript in `transcripts`, which `UPDATE_EXPECT=1`
writes again. `TORCHGEN_RS` names the program, and `TORCHGEN_PACKAGED` the directory with PyTorch's files.
"""

import asyncio
import os
import pathlib
import shutil
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = pathlib.Path(__file__).parents[2]
HERE = pathlib.Path(__file__).parent
PACKAGED = pathlib.Path(os.environ["TORCHGEN_PACKAGED"])
# Seconds.
PATIENCE = 60

pytestmark = pytest.mark.asyncio


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["TORCHGEN_RS"], "lsp"]))
async def client(lsp_client: LanguageClient):
    # Several diagnostics may come at once, and pytest-lsp keeps the last ones.
    lsp_client.published = []
    lsp_client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = lsp_client.published.append
    # The server asks which files to watch.
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


class Editor:
    """A client with the texts that it shows."""

    def __init__(self, client: LanguageClient, root: pathlib.Path) -> None:
        self.client, self.root = client, root
        self.texts: dict[str, str] = {}
        self.version = 1
        self.lines: list[str] = []

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri=self.uri(name))

    async def open(self, name: str, text: str | None = None) -> list[str]:
        text = (self.root / name).read_bytes().decode() if text is None else text
        self.texts[name] = text
        item = types.TextDocumentItem(uri=self.uri(name), language_id="yaml", version=1, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return await self.diagnostics(name, 1)

    async def change(self, name: str, text: str) -> list[str]:
        self.texts[name], self.version = text, self.version + 1
        document = types.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.version)
        whole = types.TextDocumentContentChangeWholeDocument(text=text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        return await self.diagnostics(name, self.version)

    async def diagnostics(self, name: str, version: int | None = None) -> list[str]:
        """What is shown about a file next: with a version, what is about that one."""
        for _ in range(PATIENCE * 100):
            while self.client.published:
                params = self.client.published.pop(0)
                if params.uri == self.uri(name) and version in (None, params.version):
                    return [f"{of.code} {shown(of.range)}" for of in params.diagnostics]
            await asyncio.sleep(0.01)
        raise TimeoutError(f"nothing is shown about {name}")

    def place(self, name: str, needle: str) -> types.Position:
        """Where `|` is in the first text like the needle, in UTF-16 code units."""
        before, after = needle.split("|")
        at = self.texts[name].index(before + after) + len(before)
        lines = self.texts[name][:at].split("\n")
        return types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)

    def say(self, question: str, answer: list[str]) -> None:
        self.lines += [f"> {question}", *(answer or ["(nothing)"]), ""]

    async def ask(self, method: str, name: str, needle: str = "") -> None:
        """Asks, and records what is answered."""
        answer = await ASKED[method](self, name, needle)
        self.say(" ".join(filter(None, [method, name, f"`{needle}`" if needle else ""])), answer)

    async def know(self, name: str, needle: str) -> None:
        """Waits for facts: they come after diagnostics."""
        for _ in range(PATIENCE * 10):
            if await definition(self, name, needle):
                return
            await asyncio.sleep(0.1)
        raise TimeoutError(f"{needle} is never known")

    def compare(self, name: str) -> None:
        path = HERE / "transcripts" / f"{name}.txt"
        found = "\n".join(self.lines)
        if os.environ.get("UPDATE_EXPECT"):
            path.write_text(found)
        assert found == path.read_text()


def shown(of: types.Range) -> str:
    return f"{of.start.line}:{of.start.character}-{of.end.line}:{of.end.character}"


def at(editor: Editor, uri: str, of: types.Range) -> str:
    return f"{pathlib.PurePath(uri).name} {shown(of)}"


async def hover(editor: Editor, name: str, needle: str) -> list[str]:
    params = types.HoverParams(editor.document(name), editor.place(name, needle))
    found = await editor.client.text_document_hover_async(params)
    return found.contents.value.strip().splitlines() if found else []


async def completion(editor: Editor, name: str, needle: str) -> list[str]:
    params = types.CompletionParams(editor.document(name), editor.place(name, needle))
    found = await editor.client.text_document_completion_async(params) or []
    labels = sorted(item.label for item in found)
    return [f"{len(labels)}: {', '.join(labels[:12])}"] if labels else []


async def definition(editor: Editor, name: str, needle: str) -> list[str]:
    params = types.DefinitionParams(editor.document(name), editor.place(name, needle))
    found = await editor.client.text_document_definition_async(params) or []
    return [at(editor, place.uri, place.range) for place in found]


async def references(editor: Editor, name: str, needle: str) -> list[str]:
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context, editor.document(name), editor.place(name, needle))
    found = await editor.client.text_document_references_async(params) or []
    return [at(editor, place.uri, place.range) for place in found]


async def rename(editor: Editor, name: str, needle: str) -> list[str]:
    params = types.RenameParams(new_name="renamed", text_document=editor.document(name), position=editor.place(name, needle))
    found = await editor.client.text_document_rename_async(params)
    edits = sorted(found.changes.items()) if found else []
    return [at(editor, uri, edit.range) for uri, all in edits for edit in all]


async def symbols(editor: Editor, name: str, needle: str) -> list[str]:
    found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.document(name)))
    return [f"{len(found)} symbols", *(f"{of.name} {shown(of.range)}" for of in found[:3])]


async def folds(editor: Editor, name: str, needle: str) -> list[str]:
    found = await editor.client.text_document_folding_range_async(types.FoldingRangeParams(editor.document(name)))
    return [f"{len(found)} folds", *(f"{of.start_line}-{of.end_line}" for of in found[:3])]


async def colors(editor: Editor, name: str, needle: str) -> list[str]:
    params = types.SemanticTokensParams(editor.document(name))
    found = await editor.client.text_document_semantic_tokens_full_async(params)
    return [f"{len(found.data) // 5} words are colored"]


async def hints(editor: Editor, name: str, needle: str) -> list[str]:
    everywhere = types.Range(types.Position(0, 0), types.Position(len(editor.texts[name].split("\n")), 0))
    params = types.InlayHintParams(editor.document(name), everywhere)
    found = await editor.client.text_document_inlay_hint_async(params) or []
    return [f"{hint.position.line}: {hint.label}" for hint in found[:5]]


async def actions(editor: Editor, name: str, needle: str) -> list[str]:
    place = editor.place(name, needle)
    params = types.CodeActionParams(editor.document(name), types.Range(place, place), types.CodeActionContext([]))
    found = await editor.client.text_document_code_action_async(params) or []
    return [f"{of.kind}: {of.title}" for of in found]


async def layout(editor: Editor, name: str, needle: str) -> list[str]:
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    if needle:
        line = editor.place(name, needle).line
        lines = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
        params = types.DocumentRangeFormattingParams(editor.document(name), lines, options)
        found = await editor.client.text_document_range_formatting_async(params)
    else:
        params = types.DocumentFormattingParams(editor.document(name), options)
        found = await editor.client.text_document_formatting_async(params)
    # Of a long text, only how long it is: PyTorch's files are not copied.
    text = lambda new: repr(new) if new.count("\n") < 3 else f"{new.count(chr(10))} lines"
    return [f"{shown(edit.range)} becomes {text(edit.new_text)}" for edit in found or []]


async def generated(editor: Editor, name: str, needle: str) -> list[str]:
    params = types.TextDocumentPositionParams(editor.document(name), editor.place(name, needle))
    found = await editor.client.protocol.send_request_async("torchgen-rs/generatedCode", params)
    return [found.title, f"{found.languageId}, several lines"] if found and found.text.count("\n") > 3 else []


ASKED = {
    "hover": hover,
    "completion": completion,
    "definition": definition,
    "references": references,
    "rename": rename,
    "symbols": symbols,
    "folds": folds,
    "colors": colors,
    "hints": hints,
    "actions": actions,
    "layout": layout,
    "generated code": generated,
}


async def everything(editor: Editor, name: str, needle: str, typed: str) -> None:
    """All requests about a file: those at a place are about the needle, and completion about what was typed."""
    editor.say(f"open {name}", await editor.open(name))
    await editor.know(name, needle)
    for method in ["hover", "definition", "references", "rename", "generated code", "actions"]:
        await editor.ask(method, name, needle)
    for method in ["symbols", "folds", "colors", "hints", "layout"]:
        await editor.ask(method, name)
    await editor.ask("completion", name, typed)
    # A word that is no word: the facts of before stay.
    before = editor.texts[name]
    wrong = before.replace(needle.replace("|", ""), f"{needle.replace('|', '')}: [", 1)
    editor.say("a broken text", [str(len(await editor.change(name, wrong)) > 0)])
    editor.say("the text of before", await editor.change(name, before))


async def test_a_library(client: LanguageClient, tmp_path: pathlib.Path):
    for name in ["native_functions.yaml", "library.yaml", "derivatives.yaml", "derivatives_manual.h"]:
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "examples/opkit/kernels", tmp_path / "kernels", ignore=shutil.ignore_patterns("stable"))
    editor = Editor(client, tmp_path)
    await everything(editor, "native_functions.yaml", "opkit::fused_add_rms|_norm(", "di|spatch:")
    await editor.ask("definition", "native_functions.yaml", "CPU: fused_add|_rms_norm_cpu")
    await editor.ask("references", "native_functions.yaml", "CPU: fused_add|_rms_norm_cpu")
    name = "derivatives.yaml"
    editor.say(f"open {name}", await editor.open(name))
    await editor.ask("definition", name, "- name: opkit::l2_norm|alize(")
    loose = editor.texts["native_functions.yaml"].replace("rms_norm(Tensor input, ", "rms_norm(Tensor   input, ", 1)
    editor.say("change native_functions.yaml", await editor.change("native_functions.yaml", loose))
    await editor.ask("layout", "native_functions.yaml", "opkit::|rms_norm(")
    editor.compare("library")


def memory(client: LanguageClient) -> float:
    """The memory of its server, in MB."""
    status = pathlib.Path(f"/proc/{client._server.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1000


async def test_pytorchs_files(client: LanguageClient):
    editor = Editor(client, PACKAGED)
    await everything(editor, "ATen/native/native_functions.yaml", "- func: rel|u(Tensor", "structured_de|legate: ")
    name = "autograd/derivatives.yaml"
    editor.say(f"open {name}", await editor.open(name))
    await editor.ask("definition", name, "- name: rel|u(Tensor")
    await editor.ask("hover", name, "self: threshold_back|ward(grad, result, 0)")
    editor.compare("pytorch")
    # A server lives as long as its editor: it does not grow with the edits.
    name = "ATen/native/native_functions.yaml"
    text = editor.texts[name]
    sizes = []
    for edit in range(1, 9):
        await editor.change(name, text + "\n" * edit)
        sizes.append(memory(client))
    assert sizes[-1] < sizes[2] + 10, sizes


FAMILIES = [
    ("graph_ir", "nodes.yaml", "- node: Pa|d(", "do|c:"),
    ("tensor_ir", "exprs.yaml", "- expr: ca|st(", "do|c:"),
    ("op_builders", "linear.yaml", "- builder: ge|mm(", "do|c:"),
    ("wrappers", "backend.yaml", "- fn: AddSc|aled(", "ca|ll: Add"),
]


@pytest.mark.parametrize("family, file, needle, typed", FAMILIES, ids=[of[0] for of in FAMILIES])
async def test_a_family(client: LanguageClient, tmp_path: pathlib.Path, family, file, needle, typed):
    shutil.copytree(ROOT / "families" / family.replace("_", "-") / "example", tmp_path / family)
    # The project's environment has the torch that wrappers need.
    (tmp_path / ".venv").symlink_to(sys.prefix)
    editor = Editor(client, tmp_path / family)
    await everything(editor, file, needle, typed)
    editor.compare(family)


TEXT = "# 𝛼\n- func: mine::f(Tensor x) -> Tensor  # 𝛼\n  fake: like(x)\n  doc: '𝛼 𝛼'\n  dispatch: {CPU: f, CUDA: g}\n"


async def test_columns_and_line_ends(client: LanguageClient, tmp_path: pathlib.Path):
    editor = Editor(client, tmp_path)
    name = "native_functions.yaml"
    for kind, text in [("newlines", TEXT), ("CRLF", TEXT.replace("\n", "\r\n"))]:
        (tmp_path / name).write_text(text, newline="")
        found = await (editor.open(name, text) if name not in editor.texts else editor.change(name, text))
        editor.say(kind, found)
        await editor.know(name, "mine::|f(")
        await editor.ask("rename", name, "Tensor |x")
        # A column after characters of two code units.
        wrong = text.replace("'𝛼 𝛼'", "'𝛼 𝛼', 𝛼: [")
        editor.say(f"{kind}, wrong", await editor.change(name, wrong))
        wrong = text.replace("{CPU: f", "{'𝛼': h, CPUU: f")
        editor.say(f"{kind}, misspelt", await editor.change(name, wrong))
        await editor.ask("actions", name, "CPU|U")
        await editor.change(name, text)
    editor.compare("columns")


async def test_files_appear_and_vanish(client: LanguageClient, tmp_path: pathlib.Path):
    editor = Editor(client, tmp_path)
    operators, formulas = "native_functions.yaml", "derivatives.yaml"
    (tmp_path / operators).write_text(TEXT)
    editor.say(f"open {operators}", await editor.open(operators))
    # What is shown next is about the file that changes, or if nothing is wrong about it, about the one that is open.
    unknown, known = (f"- name: {name}(Tensor x) -> Tensor\n  x: grad\n" for name in "hf")
    for text, about in [(unknown, formulas), (None, formulas), (known, operators)]:
        path = tmp_path / formulas
        path.write_text(text) if text else path.unlink()
        kind = types.FileChangeType.Created if text else types.FileChangeType.Deleted
        event = types.FileEvent(uri=editor.uri(formulas), type=kind)
        client.published.clear()
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        found = await editor.diagnostics(about)
        editor.say(f"{formulas} {'appears' if text else 'vanishes'}: {about}", found)
    editor.compare("files")
