// A server for tests. It reports each `Tenser` of a document, and generates its lines in capitals.
// With `--stubborn`, it never exits by itself.
import {
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializeRequest,
  type InitializeResult,
  LSPErrorCodes,
  PublishDiagnosticsNotification,
  ResponseError,
  ShutdownRequest,
  TextDocumentSyncKind,
} from "vscode-languageserver-protocol/node";
import { generatedCode } from "../src/follower";

const connection = createProtocolConnection(process.stdin, process.stdout);
const texts = new Map<string, string>();
let isShutDown = false;

function lines(uri: string): string[] {
  return (texts.get(uri) ?? "").split("\n");
}

async function set(uri: string, text: string): Promise<void> {
  texts.set(uri, text);
  const diagnostics = lines(uri).flatMap((line, number): Diagnostic[] => {
    const character = line.indexOf("Tenser");
    const start = { line: number, character };
    const range = { start, end: { line: number, character: character + 6 } };
    return character < 0 ? [] : [{ range, message: "unknown type `Tenser`", code: "TG0203" }];
  });
  await connection.sendNotification(PublishDiagnosticsNotification.type, { uri, diagnostics });
}

connection.onRequest(InitializeRequest.type, (): InitializeResult => ({
  capabilities: { textDocumentSync: TextDocumentSyncKind.Full },
}));
connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument }) =>
  set(textDocument.uri, textDocument.text),
);
connection.onNotification(DidChangeTextDocumentNotification.type, ({ textDocument, contentChanges }) =>
  set(textDocument.uri, contentChanges.at(-1)?.text ?? ""),
);
connection.onRequest(generatedCode, async ({ textDocument, position }, token) => {
  const line = lines(textDocument.uri)[position.line];
  if (line === undefined || line === "" || line.startsWith("#")) {
    return null;
  }
  if (line.startsWith("slow")) {
    await new Promise((resolve) => token.onCancellationRequested(resolve));
    throw new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
  }
  return { title: `line ${String(position.line + 1)}`, languageId: "cpp", text: line.toUpperCase() };
});
connection.onRequest(ShutdownRequest.type, () => {
  isShutDown = true;
});
connection.onNotification(ExitNotification.type, () => {
  if (process.argv[2] !== "--stubborn") {
    process.exit(isShutDown ? 0 : 1);
  }
});
if (process.argv[2] === "--stubborn") {
  setInterval(() => undefined, 1000);
}
connection.listen();
