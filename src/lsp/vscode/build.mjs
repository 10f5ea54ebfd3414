// Bundles the extension into dist/, and puts there what is packaged with it: the JSON Schemas, and
// the licenses of the packages in the bundle. `--tests` bundles the tests too, each as a program
// for `node --test`; `--minify` leaves out the source map.
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..", "..", "..");
const flags = process.argv.slice(2);
const minify = flags.includes("--minify");

process.chdir(here);
rmSync("dist", { recursive: true, force: true });

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };
const bundle = await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify,
  sourcemap: !minify,
  metafile: true,
});

// The files whose keys an editor helps with. The other schemas are of what the program prints.
mkdirSync("dist/schemas");
const printed = ["diagnostics.json", "family-model.json", "model.json"];
for (const name of readdirSync(join(root, "schemas")).filter((name) => !printed.includes(name))) {
  copyFileSync(join(root, "schemas", name), join("dist", "schemas", name));
}
for (const family of readdirSync(join(root, "families"))) {
  const schema = join(root, "families", family, "schema.json");
  if (existsSync(schema)) {
    copyFileSync(schema, join("dist", "schemas", `${family}.json`));
  }
}

// vsce looks for one license file.
const licenses = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => readFileSync(join(root, name), "utf8"));
const choice = "You may use this extension under the MIT license or the Apache License 2.0, as you like.\n";
writeFileSync("LICENSE.txt", [choice, ...licenses].join(`\n${"-".repeat(80)}\n\n`));

const packages = Object.keys(bundle.metafile.inputs).flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []);
const notices = [...new Set(packages)].sort().map((directory) => {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) {
    throw new Error(`${directory} has no license file`);
  }
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, file), "utf8")}`;
});
writeFileSync("dist/third-party.txt", notices.join(`\n${"-".repeat(80)}\n\n`));

if (flags.includes("--tests")) {
  const tests = readdirSync("test").filter((name) => existsSync(join("test", name)) && name.endsWith(".ts"));
  await build({ ...common, entryPoints: tests.map((name) => join("test", name)), outdir: "dist/test", alias: { vscode: "./test/vscode.cjs" } });
  console.log(`dist/test: ${tests.map((name) => basename(name, ".ts")).join(", ")}`);
}
