// The kinds of files: on the files of the repository, and on those of other programs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Kind, kindOf, KINDS } from "../src/kinds";

const ROOT = join(__dirname, "..", "..", "..", "..", "..");

test("each kind has a schema", () => {
  const schemas = readdirSync(join(__dirname, "..", "schemas")).map((name) => name.replace(/\.json$/, ""));
  assert.deepEqual(schemas.sort(), [...KINDS].sort());
});

test("the files of the repository", () => {
  const files: readonly [string, Kind][] = [
    ["native_functions.yaml", "library"],
    ["derivatives.yaml", "derivatives"],
    ["library.yaml", "library-settings"],
  ];
  for (const [path, kind] of files) {
    assert.equal(kindOf(path, readFileSync(join(ROOT, path), "utf8")), kind, path);
  }
  for (const family of ["generator", "graph-ir", "op-builders", "tensor-ir", "wrappers"] as const) {
    const directory = join(ROOT, "families", family, "example");
    const found = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => kindOf(name, readFileSync(join(directory, name), "utf8")));
    assert.ok(found.includes(family), `${family}: ${found.join(", ")}`);
  }
});

test("PyTorch's files", () => {
  const func = "# x\n\n- func: abs(Tensor self) -> Tensor\n";
  assert.equal(kindOf("/p/aten/src/ATen/native/native_functions.yaml", func), "native-functions");
  assert.equal(kindOf("C:\\p\\aten\\src\\ATen\\native\\native_functions.yaml", func), "native-functions");
  assert.equal(kindOf("/p/ops/more.yaml", func), "library");
  assert.equal(kindOf("/p/aten/src/ATen/native/tags.yaml", "- tag: core\n"), "tags");
  assert.equal(kindOf("/p/tools/autograd/deprecated.yaml", "- name: f(Tensor a)\n  aten: g(a)\n"), "deprecated");
  assert.equal(kindOf("/p/xla.yaml", "backend: XLA\ncpp_namespace: torch_xla\n"), "backend");
  assert.equal(kindOf("/p/selected_operators.yaml", "include_all_operators: false\n"), "selective");
});

test("files of other programs have no kind", () => {
  for (const [path, text] of [
    ["docker-compose.yaml", "services:\n  a: {}\n"],
    ["library.yaml", "books:\n- name: x\n"],
    ["tags.yaml", "- name: x\n"],
    ["derivatives.yaml", "future: 1\n"],
    ["backend.yaml", "backend: s3\n"],
    ["family.yaml", "family: smith\n"],
    ["nested.yaml", "a:\n  - func: x\n"],
    ["empty.yaml", ""],
  ] as const) {
    assert.equal(kindOf(`/w/${path}`, text), undefined, path);
  }
});
