// "Show generated code": a document beside the editor that follows the cursor.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Follower, type GeneratedCode, NOTHING } from "./follower";
import { SCHEME, schemaAt } from "./schemas";

/** The document. It is one for all places, so that the editor beside stays. */
const ADDRESS = vscode.Uri.from({ scheme: SCHEME, path: "/Generated code" });

/** The command, the document, and what moves it. */
export class GeneratedView implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #client: () => LanguageClient | undefined;
  readonly #follower: Follower;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #titleChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #code: GeneratedCode = NOTHING;
  #editor: vscode.TextEditor | undefined;

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#titleChanged.event;

  constructor(context: vscode.ExtensionContext, client: () => LanguageClient | undefined) {
    this.#context = context;
    this.#client = client;
    this.#follower = new Follower(
      client,
      (code) => {
        this.#show(code);
      },
    );
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME, pattern: "/Generated code" }, this),
      vscode.commands.registerCommand("torchgen-rs.showGeneratedCode", () => this.open()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.#follow(textEditor);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.#follow(editor);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.#follow(vscode.window.activeTextEditor);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.#editor?.document) {
          this.#follow(this.#editor);
        }
      }),
    ];
  }

  /** Opens the document beside the active editor, whose cursor it follows. */
  async open(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const document = await vscode.workspace.openTextDocument(ADDRESS);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    this.#follow(editor);
  }

  /** What the server knows may have changed. */
  refresh(): void {
    this.#follow(this.#editor);
  }

  provideTextDocumentContent(address: vscode.Uri): string | undefined {
    return address.path === ADDRESS.path && address.authority === ""
      ? this.#code.text
      : schemaAt(this.#context.extensionUri, address);
  }

  /** The title is above the first line. */
  provideCodeLenses(): vscode.CodeLens[] {
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: this.#code.title, command: "" })];
  }

  dispose(): void {
    this.#follower.stop();
    vscode.Disposable.from(...this.#subscriptions, this.#changed, this.#titleChanged).dispose();
  }

  #follow(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId !== "yaml" || editor.document.uri.scheme !== "file") {
      return;
    }
    this.#editor = editor;
    const isVisible = vscode.window.visibleTextEditors.some((editor) => isOurs(editor.document));
    if (!isVisible) {
      this.#follower.stop();
      return;
    }
    const { line, character } = editor.selection.active;
    const uri = this.#client()?.code2ProtocolConverter.asUri(editor.document.uri) ?? editor.document.uri.toString();
    this.#follower.moved({ uri, position: { line, character } });
  }

  #show(code: GeneratedCode): void {
    this.#code = code;
    this.#changed.fire(ADDRESS);
    this.#titleChanged.fire();
    const document = vscode.workspace.textDocuments.find(isOurs);
    if (document !== undefined && document.languageId !== code.languageId) {
      // Where no extension knows the language, the text stays plain.
      vscode.languages.setTextDocumentLanguage(document, code.languageId).then(undefined, () => undefined);
    }
  }
}

function isOurs(document: vscode.TextDocument): boolean {
  return document.uri.toString() === ADDRESS.toString();
}
