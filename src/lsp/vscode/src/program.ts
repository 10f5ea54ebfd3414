// Where the program is: what the setting names, else on PATH, else in the Python environment of a
// folder of the workspace. Nothing here needs VS Code.
import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";

/** Where to look. */
export interface Search {
  /** The setting `torchgen-rs.path`; empty if it is not set. */
  readonly setting: string;
  /** The value of the variable PATH. */
  readonly path: string;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The home directory. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Whether programs of the workspace may run. */
  readonly trusted: boolean;
  /** Whether a path is a program. */
  readonly isProgram: (path: string) => boolean;
}

/** A program, or the places where none is. */
export type Found = { readonly program: string } | { readonly missing: readonly string[] };

/**
 * Finds the program.
 *
 * A setting that names no program is not replaced by another program. Relative directories of PATH
 * are left out, since they would be in whatever directory the editor was started in.
 */
export function findProgram(search: Search): Found {
  const paths = search.platform === "win32" ? path.win32 : path.posix;
  const name = search.platform === "win32" ? "torchgen-rs.exe" : "torchgen-rs";
  const setting = search.setting.trim();
  const candidates: string[] = [];
  if (setting !== "") {
    const isBelowHome = /^~[/\\]/.test(setting);
    const start = isBelowHome ? search.home : search.folders[0];
    const relative = isBelowHome ? setting.slice(2) : setting;
    candidates.push(paths.isAbsolute(setting) || start === undefined ? setting : paths.join(start, relative));
  } else {
    const directories = search.path.split(paths.delimiter).filter((directory) => paths.isAbsolute(directory));
    candidates.push(...directories.map((directory) => paths.join(directory, name)));
    if (search.trusted) {
      const programs = search.platform === "win32" ? "Scripts" : "bin";
      candidates.push(...search.folders.map((folder) => paths.join(folder, ".venv", programs, name)));
    }
  }
  const program = candidates.find((candidate) => search.isProgram(candidate));
  return program === undefined ? { missing: candidates } : { program };
}

/** Whether a path is a file that may be executed. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What to show a user whose program is not found. */
export function missingMessage(search: Search): string {
  const setting = search.setting.trim();
  if (setting !== "") {
    return `The setting torchgen-rs.path is "${setting}", which is not a program.`;
  }
  const untrusted = search.trusted ? "" : " Environments of this workspace are left out, because you have not trusted it.";
  const places = search.trusted && search.folders.length > 0 ? "on PATH or in .venv of the workspace" : "on PATH";
  return `The program torchgen-rs is not ${places}.${untrusted} Install it, or set torchgen-rs.path.`;
}
