// Where the program is looked for, and in which order.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram, isProgram, missingMessage, type Search } from "../src/program";

/** A search in which these paths are programs. */
function search(programs: readonly string[], changes: Partial<Search> = {}): Search {
  return {
    setting: "",
    path: "/usr/bin:bin:/opt/bin",
    folders: ["/a", "/b"],
    home: "/users/me",
    platform: "linux",
    trusted: true,
    isProgram: (path) => programs.includes(path),
    ...changes,
  };
}

const ON_PATH = "/opt/bin/torchgen-rs";
const OF_FOLDER = "/b/.venv/bin/torchgen-rs";

test("the setting, then PATH, then the environment of a folder", () => {
  const all = ["/x/tool", ON_PATH, OF_FOLDER];
  assert.deepEqual(findProgram(search(all, { setting: " /x/tool " })), { program: "/x/tool" });
  assert.deepEqual(findProgram(search(all)), { program: ON_PATH });
  assert.deepEqual(findProgram(search([OF_FOLDER])), { program: OF_FOLDER });
});

test("a setting that names no program is not replaced", () => {
  const wrong = search([ON_PATH], { setting: "/x/tool" });
  assert.deepEqual(findProgram(wrong), { missing: ["/x/tool"] });
  assert.match(missingMessage(wrong), /torchgen-rs\.path is "\/x\/tool"/);
});

test("a relative setting begins at the first folder or at the home directory", () => {
  assert.deepEqual(findProgram(search(["/a/t/x"], { setting: "t/x" })), { program: "/a/t/x" });
  assert.deepEqual(findProgram(search(["/users/me/t/x"], { setting: "~/t/x" })), { program: "/users/me/t/x" });
  assert.deepEqual(findProgram(search(["t/x"], { setting: "t/x", folders: [] })), { program: "t/x" });
});

test("relative directories of PATH are left out", () => {
  const found = findProgram(search(["bin/torchgen-rs"]));
  const missing = ["/usr/bin/torchgen-rs", ON_PATH, "/a/.venv/bin/torchgen-rs", OF_FOLDER];
  assert.deepEqual(found, { missing });
});

test("a workspace that is not trusted runs no program of its own", () => {
  const untrusted = search([OF_FOLDER], { trusted: false });
  assert.ok("missing" in findProgram(untrusted));
  assert.match(missingMessage(untrusted), /not trusted/);
  assert.match(missingMessage(search([])), /not on PATH or in \.venv/);
});

test("Windows has other names", () => {
  const windows: Partial<Search> = { platform: "win32", path: "C:\\bin;D:\\tools", folders: ["C:\\ops"] };
  const program = "C:\\ops\\.venv\\Scripts\\torchgen-rs.exe";
  assert.deepEqual(findProgram(search([program], windows)), { program });
  assert.deepEqual(findProgram(search(["D:\\tools\\torchgen-rs.exe"], windows)), { program: "D:\\tools\\torchgen-rs.exe" });
});

test("a program is a file that may be executed", { skip: process.platform === "win32" }, () => {
  const directory = mkdtempSync(join(tmpdir(), "torchgen-rs-"));
  try {
    const file = join(directory, "file");
    writeFileSync(file, "");
    mkdirSync(join(directory, "folder"));
    chmodSync(file, 0o644);
    assert.equal(isProgram(file), false);
    chmodSync(file, 0o755);
    assert.equal(isProgram(file), true);
    assert.equal(isProgram(join(directory, "folder")), false);
    assert.equal(isProgram(join(directory, "none")), false);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
