// The messages between VS Code and the server, as the setting `torchgen-rs.trace.server` says.
//
// The client writes them to a channel whose level of logging is `Trace`, which only users set. This
// channel has the level that follows from the setting.
import * as vscode from "vscode";

/** A channel for the client's option `traceOutputChannel`. */
export function traceChannel(context: vscode.ExtensionContext): vscode.LogOutputChannel {
  const isOff = (): boolean => vscode.workspace.getConfiguration("torchgen-rs").get("trace.server") === "off";
  const level = (): vscode.LogLevel => (isOff() ? vscode.LogLevel.Off : vscode.LogLevel.Trace);
  const changed = new vscode.EventEmitter<vscode.LogLevel>();
  const channel = vscode.window.createOutputChannel("torchgen-rs trace");
  const write = (message: string | Error): void => {
    if (!isOff()) {
      channel.appendLine(`[${new Date().toISOString()}] ${String(message)}`);
    }
  };
  context.subscriptions.push(
    channel,
    changed,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("torchgen-rs.trace.server")) {
        changed.fire(level());
      }
    }),
  );
  return {
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: changed.event,
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    name: channel.name,
    append: (value) => {
      channel.append(value);
    },
    appendLine: (value) => {
      channel.appendLine(value);
    },
    replace: (value) => {
      channel.replace(value);
    },
    clear: () => {
      channel.clear();
    },
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the interface has this overload
    show: (_: unknown, preserveFocus?: boolean) => {
      channel.show(preserveFocus);
    },
    hide: () => {
      channel.hide();
    },
    dispose: () => {
      channel.dispose();
    },
  };
}
