// The code at the cursor: with the server for tests, over a real connection.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LSPErrorCodes, ResponseError } from "vscode-languageserver-protocol/node";
import { Follower, type GeneratedCode, NOTHING, type Requests } from "../src/follower";
import { Conversation } from "./conversation";

const URI = "file:///ops/native_functions.yaml";
let talk: Conversation;

before(async () => {
  talk = await Conversation.start(process.execPath, [join(__dirname, "fake-server.js")], "file:///ops");
  await talk.open(URI, "one\ntwo\n# comment\nslow\n");
});

after(async () => {
  await talk.end();
});

/** What is shown while the cursor moves to some lines, with a rest after each. */
async function shown(requests: Requests | undefined, lines: readonly number[], rest: number): Promise<GeneratedCode[]> {
  const shown: GeneratedCode[] = [];
  const follower = new Follower(() => requests, (code) => shown.push(code), 5);
  for (const line of lines) {
    follower.moved({ uri: URI, position: { line, character: 0 } });
    await sleep(rest);
  }
  await sleep(100);
  follower.stop();
  await sleep(20);
  return shown;
}

test("each place where the cursor rests is shown", async () => {
  const texts = (await shown(talk.connection, [0, 1, 2], 100)).map((code) => code.text);
  assert.deepEqual(texts, ["ONE", "TWO", NOTHING.text]);
});

test("places that the cursor passes are not asked for", async () => {
  let asked = 0;
  const counting: Requests = {
    sendRequest: (type, params, token) => {
      asked += 1;
      return talk.connection.sendRequest(type, params, token);
    },
  };
  const texts = (await shown(counting, [0, 2, 1], 0)).map((code) => code.text);
  assert.deepEqual(texts, ["TWO"]);
  assert.equal(asked, 1);
});

test("a slow answer is cancelled when the cursor moves on", async () => {
  const codes: unknown[] = [];
  const watching: Requests = {
    sendRequest: async (type, params, token) => {
      try {
        return await talk.connection.sendRequest(type, params, token);
      } catch (error) {
        codes.push(error instanceof ResponseError && error.code);
        throw error;
      }
    },
  };
  const texts = (await shown(watching, [3, 0], 100)).map((code) => code.text);
  assert.deepEqual(texts, ["ONE"]);
  assert.deepEqual(codes, [LSPErrorCodes.RequestCancelled]);
});

test("a late answer to an earlier place is dropped", async () => {
  const late: Requests = {
    sendRequest: async (_, { position }) => {
      await sleep(position.line === 0 ? 60 : 0);
      return { title: "", languageId: "cpp", text: String(position.line) };
    },
  };
  const texts = (await shown(late, [0, 1], 20)).map((code) => code.text);
  assert.deepEqual(texts, ["1"]);
});

test("errors are shown, except those after which another request follows", async () => {
  const failing = (error: Error): Requests => ({ sendRequest: () => Promise.reject(error) });
  const first = async (error: Error) => (await shown(failing(error), [0], 20))[0]?.text;
  assert.equal(await first(new ResponseError(LSPErrorCodes.ContentModified, "modified")), undefined);
  assert.match((await first(new ResponseError(-32601, "unknown"))) ?? "", /This version/);
  assert.match((await first(new Error("broken pipe"))) ?? "", /cannot be shown: broken pipe/);
  assert.match((await shown(undefined, [0], 20))[0]?.text ?? "", /does not run/);
});
