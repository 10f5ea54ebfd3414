// "Show generated code": what the document beside the editor shows.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { TextDocumentPositionParams } from "vscode-languageserver-protocol/node";
import { GeneratedView } from "../src/generated";
import { editor, type TextEditor } from "./editor";

/** Longer than the cursor rests before the server is asked. */
const REST = 250;
const VIEW = vscode.Uri.from({ scheme: "torchgen-rs", path: "/Generated code" });

let asked: TextDocumentPositionParams[];

const client = {
  code2ProtocolConverter: { asUri: (uri: vscode.Uri) => uri.toString() },
  sendRequest: (_: unknown, params: TextDocumentPositionParams) => {
    asked.push(params);
    return Promise.resolve({ title: "f", languageId: "cpp", text: `// line ${String(params.position.line)}` });
  },
} as unknown as LanguageClient;

/** An editor of a file with the cursor in a line. */
function at(path: string, line: number): TextEditor {
  const document = { uri: vscode.Uri.file(path), languageId: "yaml" };
  return { document, selection: { active: { line, character: 2 } } };
}

const text = (): string | undefined => editor.provided.get("torchgen-rs")?.provideTextDocumentContent(VIEW);
const move = (to: TextEditor): void => {
  editor.moved.fire({ textEditor: to });
};

beforeEach(() => {
  asked = [];
  editor.moved.dispose();
  editor.visible = [at("/ops/native_functions.yaml", 1)];
  const context = { extensionUri: vscode.Uri.file("/extension") } as unknown as vscode.ExtensionContext;
  new GeneratedView(context, () => client);
});

test("the command shows the code at the cursor, and follows it", async () => {
  await editor.commands.get("torchgen-rs.showGeneratedCode")?.();
  await sleep(REST);
  assert.deepEqual(asked.at(0), { textDocument: { uri: "file:///ops/native_functions.yaml" }, position: { line: 1, character: 2 } });
  assert.equal(text(), "// line 1");
  const shown = editor.visible.at(1)?.document;
  assert.equal(shown?.uri.toString(), VIEW.toString());
  assert.equal(shown.languageId, "cpp");
  move(at("/ops/native_functions.yaml", 7));
  await sleep(REST);
  assert.equal(text(), "// line 7");
});

test("nothing is asked while the document is not visible, and of other files", async () => {
  move(at("/ops/native_functions.yaml", 3));
  await sleep(REST);
  assert.deepEqual(asked, []);
  await editor.commands.get("torchgen-rs.showGeneratedCode")?.();
  await sleep(REST);
  assert.equal(asked.length, 1);
  const source = at("/ops/kernels.cpp", 3);
  source.document.languageId = "cpp";
  move(source);
  await sleep(REST);
  assert.equal(asked.length, 1);
});
