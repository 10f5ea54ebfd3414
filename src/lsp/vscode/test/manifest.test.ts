// The manifest: it has the version of the program, and what the sources use.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Record<string, unknown> };
  };
}

const HERE = join(__dirname, "..", "..");
const read = (path: string): string => readFileSync(join(HERE, path), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;
const sources = readdirSync(join(HERE, "src")).map((name) => read(join("src", name))).join("\n");

test("the version is that of the program", () => {
  const [, version] = /^\[workspace\.package\]\nversion = "(.*)"/m.exec(read("../../../Cargo.toml")) ?? [];
  assert.equal(manifest.version, version);
});

test("commands are registered, and those alone", () => {
  const registered = [...sources.matchAll(/registerCommand\("([^"]*)"/g)].map((found) => found[1]);
  assert.deepEqual(registered.sort(), manifest.contributes.commands.map(({ command }) => command).sort());
});

test("settings are read", () => {
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    const key = name.replace(/^torchgen-rs\./, "");
    assert.match(sources, new RegExp(`\\.get(<\\w+>)?\\("${key}"`), name);
  }
});

test("the lock file names no address of a registry", () => {
  assert.doesNotMatch(read("package-lock.json"), /"resolved": "http/);
});
