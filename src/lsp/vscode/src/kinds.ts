// The kinds of YAML that torchgen-rs reads. A name alone does not decide: files of operators have
// any name, and other programs have a `library.yaml` too. Nothing here needs VS Code.

/** The kinds, each with a JSON Schema of its name in `schemas/`. */
export const KINDS = [
  "backend",
  "deprecated",
  "derivatives",
  "generator",
  "graph-ir",
  "library",
  "library-settings",
  "native-functions",
  "op-builders",
  "selective",
  "tags",
  "tensor-ir",
  "wrappers",
] as const;

export type Kind = (typeof KINDS)[number];

/** The families whose files begin with `family:` and their name. */
const FAMILIES: readonly Kind[] = ["generator", "graph-ir", "op-builders", "tensor-ir", "wrappers"];

/** The keys of `library.yaml`. */
const OF_SETTINGS = /^(?:family|abi|torch_min|defaults|include|leave_out|torch_ops|allow|run)[ \t]*:/m;

/** The kind of a file; none if torchgen-rs does not read it, as far as one can see. */
export function kindOf(path: string, text: string): Kind | undefined {
  const parts = path.split(/[/\\]/);
  const name = parts.at(-1);
  const family = /^family[ \t]*:[ \t]*["']?([\w-]+)/m.exec(text)?.[1];
  const ofFamily = FAMILIES.find((kind) => kind === family);
  if (ofFamily !== undefined) {
    return ofFamily;
  }
  if (name === "library.yaml" && OF_SETTINGS.test(text)) {
    return "library-settings";
  }
  if (name === "derivatives.yaml" && hasEntry(text, "name")) {
    return "derivatives";
  }
  if (name === "deprecated.yaml" && hasEntry(text, "name") && /^[ \t]+aten[ \t]*:/m.test(text)) {
    return "deprecated";
  }
  if (name === "tags.yaml" && hasEntry(text, "tag")) {
    return "tags";
  }
  if (/^backend[ \t]*:/m.test(text) && /^cpp_namespace[ \t]*:/m.test(text)) {
    return "backend";
  }
  if (/^include_all_(?:operators|non_op_selectives)[ \t]*:/m.test(text)) {
    return "selective";
  }
  if (name === "native_functions.yaml" && parts.at(-2) === "native" && parts.at(-3) === "ATen") {
    return "native-functions";
  }
  return hasEntry(text, "func") ? "library" : undefined;
}

/** Whether a list has an entry that begins with a key. */
function hasEntry(text: string, key: string): boolean {
  return new RegExp(`^-[ \\t]+${key}[ \\t]*:`, "m").test(text);
}
