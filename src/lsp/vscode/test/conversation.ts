// A conversation with a server over its standard input and output, as an editor has it.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import {
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
} from "vscode-languageserver-protocol/node";
import { ended, launch } from "../src/server";

/** How long a server may take to answer, in milliseconds. */
const PATIENCE = 10_000;

export class Conversation {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #published = new Map<string, Diagnostic[]>();
  #waiting: (() => void)[] = [];

  private constructor(server: ChildProcessWithoutNullStreams, connection: ProtocolConnection, initialized: InitializeResult) {
    this.#process = server;
    this.connection = connection;
    this.initialized = initialized;
    connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      this.#published.set(uri, diagnostics);
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) {
        wake();
      }
    });
  }

  /** Starts a server and initializes it. */
  static async start(program: string, args: readonly string[], root: string): Promise<Conversation> {
    const server = await launch(program, args, undefined);
    server.stderr.pipe(process.stderr);
    const connection = createProtocolConnection(server.stdout, server.stdin);
    connection.listen();
    const initialized = await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the type requires it
      rootUri: null,
      workspaceFolders: [{ uri: root, name: "root" }],
      capabilities: { general: { positionEncodings: ["utf-16"] } },
    });
    const conversation = new Conversation(server, connection, initialized);
    await connection.sendNotification(InitializedNotification.type, {});
    return conversation;
  }

  open(uri: string, text: string): Promise<void> {
    return this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
  }

  change(uri: string, version: number, text: string): Promise<void> {
    return this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }

  /** Waits until the diagnostics of a document are as expected. */
  async diagnostics(uri: string, expected: (diagnostics: Diagnostic[]) => boolean): Promise<Diagnostic[]> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const published = this.#published.get(uri);
      if (published !== undefined && expected(published)) {
        return published;
      }
      const left = end - Date.now();
      if (left <= 0) {
        throw new Error(`the diagnostics of ${uri} are ${JSON.stringify(published)}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Ends a server that a failed test left: it would keep the tests waiting. */
  abandon(): void {
    this.#process.kill("SIGKILL");
    this.connection.dispose();
  }

  /** Ends the conversation; returns how the server exited. */
  async end(): Promise<number | null> {
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    await ended(this.#process);
    this.connection.dispose();
    return this.#process.exitCode;
  }
}
