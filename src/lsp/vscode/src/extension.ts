// The extension: starts the server, and restarts it when its program may be another one.
import * as vscode from "vscode";
import { Server } from "./client";
import { GeneratedView } from "./generated";
import { contributeSchemas } from "./schemas";
import { traceChannel } from "./trace";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("torchgen-rs", { log: true });
  const view = new GeneratedView(context, () => server?.client);
  const started = new Server(log, traceChannel(context), () => {
    view.refresh();
  });
  server = started;
  context.subscriptions.push(
    log,
    view,
    vscode.commands.registerCommand("torchgen-rs.restartServer", () => started.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("torchgen-rs.path")) {
        await started.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidOpenTextDocument(() => {
      started.explain();
    }),
  );
  contributeSchemas(context, log);
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
