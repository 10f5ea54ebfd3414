// The server of a window: started, stopped and restarted with the client that speaks to it.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, type ErrorHandler, LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import { kindOf } from "./kinds";
import { findProgram, isProgram, missingMessage, type Search } from "./program";
import { ARGUMENTS, ended, launch } from "./server";

/** A client that shows no messages of its own before its server runs: `Server` shows one. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, showNotification: boolean | "force" = true): void {
    super.error(message, data, this.isRunning() && showNotification);
  }
}

/** The server of this window. */
export class Server {
  readonly #log: vscode.LogOutputChannel;
  readonly #trace: vscode.LogOutputChannel;
  readonly #started: () => void;
  #client: LanguageClient | undefined;
  #process: ChildProcessWithoutNullStreams | undefined;
  /** Whether the server has yet to answer for the first time. */
  #isStarting = false;
  /** Why no server runs, until the user has seen it. */
  #reason: string | undefined;
  /** Starts and stops happen one after another. */
  #last: Promise<void> = Promise.resolve();

  constructor(log: vscode.LogOutputChannel, trace: vscode.LogOutputChannel, started: () => void) {
    this.#log = log;
    this.#trace = trace;
    this.#started = started;
  }

  /** The client, while its server runs. */
  get client(): LanguageClient | undefined {
    return this.#client?.isRunning() === true ? this.#client : undefined;
  }

  /** Stops the server that runs, looks for the program, and starts it. */
  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  stop(): Promise<void> {
    return this.#next(() => this.#stop());
  }

  /** Shows why no server runs, once, and only to those who have a file for it open. */
  explain(): void {
    if (this.#reason === undefined || !vscode.workspace.textDocuments.some(isForUs)) {
      return;
    }
    const [settings, output] = ["Open settings", "Show output"];
    void vscode.window.showErrorMessage(this.#reason, settings, output).then(async (choice) => {
      if (choice === settings) {
        await vscode.commands.executeCommand("workbench.action.openSettings", "torchgen-rs.path");
      } else if (choice === output) {
        this.#log.show();
      }
    });
    this.#reason = undefined;
  }

  #next(step: () => Promise<void>): Promise<void> {
    // A program that does not answer would make all that follows wait.
    if (this.#isStarting) {
      this.#process?.kill();
    }
    this.#last = this.#last.then(step, step);
    return this.#last;
  }

  async #start(): Promise<void> {
    const search = searchHere();
    const found = findProgram(search);
    if ("missing" in found) {
      this.#log.info(`No program: ${found.missing.join(", ")}`);
      this.#fail(missingMessage(search));
      return;
    }
    const command = [found.program, ...ARGUMENTS].join(" ");
    this.#log.info(`Starting ${command}`);
    let restarts: ErrorHandler | undefined;
    const client = new QuietClient(
      "torchgen-rs",
      "torchgen-rs",
      async () => (this.#process = await launch(found.program, ARGUMENTS, search.folders[0])),
      {
        // The server registers the files to watch itself. Of C++, it serves kernels.
        documentSelector: ["yaml", "cpp", "cuda-cpp", "objective-cpp"].map((language) => ({ scheme: "file", language })),
        diagnosticCollectionName: "torchgen-rs",
        outputChannel: this.#log,
        traceOutputChannel: this.#trace,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        // A server that has run is started again if it ends, a few times; one that never ran is not.
        errorHandler: {
          error: (error, message, count) =>
            restarts?.error(error, message, count) ?? { action: ErrorAction.Shutdown, handled: true },
          closed: () => restarts?.closed() ?? { action: CloseAction.DoNotRestart, handled: true },
        },
      },
    );
    this.#isStarting = true;
    try {
      await client.start();
      restarts = client.createDefaultErrorHandler();
      this.#client = client;
      this.#started();
    } catch (error) {
      this.#log.error(String(error));
      this.#fail(`${command} does not serve this editor. Is the program as new as the extension?`);
      await this.#end();
    } finally {
      this.#isStarting = false;
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#reason = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.#log.warn(String(error));
    }
    await this.#end();
  }

  async #end(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process !== undefined) {
      await ended(process);
    }
  }

  #fail(reason: string): void {
    this.#reason = reason;
    this.explain();
  }
}

/** Whether torchgen-rs reads a document. */
function isForUs(document: vscode.TextDocument): boolean {
  return document.languageId === "yaml" && kindOf(document.uri.path, document.getText()) !== undefined;
}

/** Where the program may be. */
function searchHere(): Search {
  return {
    setting: vscode.workspace.getConfiguration("torchgen-rs").get("path", ""),
    path: process.env["PATH"] ?? "",
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    home: homedir(),
    platform: process.platform,
    trusted: vscode.workspace.isTrusted,
    isProgram,
  };
}
