// What an editor says to a server: to the one for tests, and to the program that TORCHGEN_RS names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { HoverRequest, TextDocumentSyncKind } from "vscode-languageserver-protocol/node";
import { generatedCode } from "../src/follower";
import { ARGUMENTS, ended, launch } from "../src/server";
import { Conversation } from "./conversation";

const FAKE = join(__dirname, "fake-server.js");
const ROOT = join(__dirname, "..", "..", "..", "..", "..");
const program = process.env["TORCHGEN_RS"];

test("a conversation with a server", async (t) => {
  const talk = await Conversation.start(process.execPath, [FAKE], "file:///ops");
  t.after(() => { talk.abandon(); });
  const uri = "file:///ops/native_functions.yaml";
  assert.equal(talk.initialized.capabilities.textDocumentSync, TextDocumentSyncKind.Full);
  await talk.open(uri, "- func: a(Tenser x) -> Tensor\n");
  const [wrong] = await talk.diagnostics(uri, (found) => found.length === 1);
  assert.deepEqual(wrong?.range.start, { line: 0, character: 10 });
  await talk.change(uri, 2, "- func: a(Tensor x) -> Tensor\n# end\n");
  assert.deepEqual(await talk.diagnostics(uri, (found) => found.length === 0), []);
  const ask = (line: number) =>
    talk.connection.sendRequest(generatedCode, { textDocument: { uri }, position: { line, character: 0 } });
  assert.deepEqual(await ask(0), { title: "line 1", languageId: "cpp", text: "- FUNC: A(TENSOR X) -> TENSOR" });
  assert.equal(await ask(1), null);
  assert.equal(await talk.end(), 0);
});

test("a program that does not exist is an error with its name", async () => {
  await assert.rejects(launch(join(ROOT, "no-such-program"), ARGUMENTS, undefined), /no-such-program cannot be started/);
});

test("a server that does not exit is ended", async () => {
  const server = await launch(process.execPath, [FAKE, "--stubborn"], undefined);
  server.stdin.end();
  await ended(server, 50);
  assert.equal(server.signalCode, "SIGKILL");
  await ended(server, 50);
});

test("torchgen-rs serves the bundled library", { skip: program === undefined && "TORCHGEN_RS names no program" }, async (t) => {
  assert(program !== undefined);
  const talk = await Conversation.start(program, ARGUMENTS, pathToFileURL(ROOT).href);
  t.after(() => { talk.abandon(); });
  const path = join(ROOT, "native_functions.yaml");
  const uri = pathToFileURL(path).href;
  const text = readFileSync(path, "utf8");
  const at = text.split("\n").findIndex((line) => line.startsWith("- func: opkit::soft_cap(Tensor self,"));
  assert(at > 0);

  await talk.open(uri, text);
  await talk.diagnostics(uri, (found) => !found.some(({ severity }) => severity === 1));
  const place = { textDocument: { uri }, position: { line: at, character: "- func: opkit::so".length } };
  // The server answers at once, with what it knows: it learns of operators after the first check.
  const known = async (ask: () => Promise<unknown>): Promise<string> => {
    let answer = "";
    for (const end = Date.now() + 10_000; !answer.includes("soft_cap") && Date.now() < end; ) {
      await sleep(50);
      answer = JSON.stringify(await ask());
    }
    return answer;
  };
  assert.match(await known(() => talk.connection.sendRequest(HoverRequest.type, place)), /soft_cap/);
  assert.match(await known(() => talk.connection.sendRequest(generatedCode, place)), /"languageId":"cpp".*soft_cap/);

  await talk.change(uri, 2, text.replace("opkit::soft_cap(Tensor self,", "opkit::soft_cap(Tenser self,"));
  const wrong = (await talk.diagnostics(uri, (found) => found.some(({ code }) => code === "TG0203")))
    .find(({ code }) => code === "TG0203");
  assert.deepEqual(wrong?.range.start, { line: at, character: "- func: opkit::soft_cap(".length });
  await talk.change(uri, 3, text);
  await talk.diagnostics(uri, (found) => !found.some(({ severity }) => severity === 1));
  assert.equal(await talk.end(), 0);
});
