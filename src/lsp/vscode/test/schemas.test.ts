// The schemas that the YAML extension receives.
import assert from "node:assert/strict";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import * as vscode from "vscode";
import { KINDS } from "../src/kinds";
import { contributeSchemas } from "../src/schemas";
import { editor } from "./editor";

interface Contributor {
  readonly schema: string;
  readonly request: (resource: string) => string | undefined;
  readonly content: (address: string) => string | undefined;
}

let contributors: Contributor[];
const channel = vscode.window.createOutputChannel("torchgen-rs", { log: true });
const context = {
  extensionUri: vscode.Uri.file(join(__dirname, "..", "..")),
  subscriptions: [],
} as unknown as vscode.ExtensionContext;

function install(activate: () => Promise<unknown>): void {
  editor.extensions.set("redhat.vscode-yaml", { activate });
}

const api = {
  registerContributor(schema: string, request: Contributor["request"], content: Contributor["content"]): boolean {
    contributors.push({ schema, request, content });
    return true;
  },
};

beforeEach(() => {
  contributors = [];
  editor.extensions.clear();
  editor.settings.clear();
  editor.log = [];
  editor.documents = [
    { path: "/ops/native_functions.yaml", text: "- func: f(Tensor x) -> Tensor\n" },
    { path: "/ops/compose.yaml", text: "services: {}\n" },
  ];
});

test("documents have the schema of their kind", async () => {
  install(() => Promise.resolve(api));
  contributeSchemas(context, channel);
  await turn();
  const [contributor] = contributors;
  assert(contributor !== undefined);
  assert.equal(contributor.schema, "torchgen-rs");
  const address = contributor.request("file:///ops/native_functions.yaml");
  assert.equal(address, "torchgen-rs://schema/library");
  assert.equal(contributor.request("file:///ops/compose.yaml"), undefined);
  assert.equal(contributor.request("file:///ops/closed.yaml"), undefined);
  for (const kind of KINDS) {
    const schema = JSON.parse(contributor.content(`torchgen-rs://schema/${kind}`) ?? "") as { $schema: string };
    assert.match(schema.$schema, /draft-07/);
  }
  assert.equal(contributor.content("torchgen-rs://schema/../../package"), undefined);
  editor.settings.set("torchgen-rs.schemas", false);
  assert.equal(contributor.request("file:///ops/native_functions.yaml"), undefined);
});

test("the YAML extension may be installed later, and is asked once", async () => {
  contributeSchemas(context, channel);
  await turn();
  assert.equal(contributors.length, 0);
  install(() => Promise.resolve(api));
  editor.installed.fire(undefined);
  editor.installed.fire(undefined);
  await turn();
  assert.equal(contributors.length, 1);
});

test("a YAML extension without the interface, or that fails, is left alone", async () => {
  install(() => Promise.resolve(undefined));
  contributeSchemas(context, channel);
  install(() => Promise.reject(new Error("no Java")));
  contributeSchemas(context, channel);
  await turn();
  assert.deepEqual(editor.log, ["The YAML extension takes no schemas: Error: no Java"]);
});
