// The process of the server: `torchgen-rs lsp`, which speaks over its standard input and output.
// Nothing here needs VS Code.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

/** How long a server may take to exit after it was asked to, in milliseconds. */
const PATIENCE = 2000;

/** The command of the program that serves editors. */
export const ARGUMENTS: readonly string[] = ["lsp"];

/**
 * Starts a server. The promise is rejected if the program cannot be started.
 *
 * The directory is the one that the program's messages are relative to.
 */
export function launch(
  program: string,
  args: readonly string[],
  directory: string | undefined,
): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const server = spawn(program, args, { cwd: directory, windowsHide: true });
    // A server that is gone closes its streams; the connection reports that.
    server.stdin.on("error", () => undefined);
    server.once("error", (error) => {
      reject(new Error(`${program} cannot be started: ${error.message}`, { cause: error }));
    });
    server.once("spawn", () => {
      resolve(server);
    });
  });
}

/** Waits until a server has exited, and ends it if that takes too long. */
export function ended(server: ChildProcessWithoutNullStreams, patience = PATIENCE): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) {
      resolve();
      return;
    }
    const impatient = setTimeout(() => server.kill("SIGKILL"), patience);
    server.once("exit", () => {
      clearTimeout(impatient);
      resolve();
    });
  });
}
