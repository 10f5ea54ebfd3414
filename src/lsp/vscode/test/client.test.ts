// The server of a window: which program runs, and what the user is shown if none does.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { Server } from "../src/client";
import { editor } from "./editor";

const channel = vscode.window.createOutputChannel("torchgen-rs", { log: true });
const FAKE = join(__dirname, "fake-server.js");
const OPERATORS = { path: "/ops/native_functions.yaml", text: "- func: f(Tensor x) -> Tensor\n" };
const windows = process.platform === "win32" && "programs of these tests are shell scripts";
const path = process.env["PATH"];

let folder: string;
let server: Server;
let started: number;

/** A program with a script; the place is that of a Python environment. */
function program(script: string): string {
  const directory = join(folder, ".venv", "bin");
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "torchgen-rs");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "torchgen-rs-"));
  process.env["PATH"] = "";
  Object.assign(editor, { settings: new Map<string, unknown>(), folders: [folder], documents: [OPERATORS], errors: [], log: [] });
  started = 0;
  server = new Server(channel, channel, () => {
    started += 1;
  });
});

afterEach(async () => {
  await server.stop();
  process.env["PATH"] = path;
  rmSync(folder, { recursive: true });
});

test("the program of the environment starts, and starts again", { skip: windows }, async () => {
  program(`[ "$1" = lsp ] && exec '${process.execPath}' '${FAKE}'`);
  await server.restart();
  assert.deepEqual(editor.errors, []);
  assert.equal(started, 1);
  const first = server.client;
  assert(first !== undefined);
  await server.restart();
  assert.equal(started, 2);
  assert.notEqual(server.client, first);
  assert.equal(first.isRunning(), false);
  await server.stop();
  assert.equal(server.client, undefined);
});

test("a missing program is shown once, to those who have a file for it", async () => {
  editor.documents = [{ path: "/ops/compose.yaml", text: "services: {}\n" }];
  await server.restart();
  server.explain();
  assert.deepEqual(editor.errors, []);
  editor.documents.push(OPERATORS);
  server.explain();
  server.explain();
  assert.equal(editor.errors.length, 1);
  assert.match(editor.errors.join(), /not on PATH or in \.venv/);
  assert.equal(server.client, undefined);
});

test("a program that cannot serve is named, and not started again and again", { skip: windows }, async () => {
  const runs = join(folder, "runs");
  const file = program(`echo run >> '${runs}'; echo 'unknown command' >&2; exit 2`);
  await server.restart();
  await sleep(200);
  assert.equal(started, 0);
  assert.deepEqual(editor.errors, [`${file} lsp does not serve this editor. Is the program as new as the extension?`]);
  assert.equal(readFileSync(runs, "utf8"), "run\n");
});

test("a program that does not answer does not block the next one", { skip: windows }, async () => {
  program(`exec '${process.execPath}' -e 'setInterval(() => {}, 1000)'`);
  const first = server.restart();
  await sleep(300);
  program(`exec '${process.execPath}' '${FAKE}'`);
  await Promise.all([first, server.restart()]);
  assert.equal(started, 1);
  assert.equal(server.client?.isRunning(), true);
});
