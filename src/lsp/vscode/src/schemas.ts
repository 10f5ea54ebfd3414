// The JSON Schemas, for Red Hat's YAML extension where it is installed.
//
// It takes schemas in two ways. The contribution `yamlValidation` maps patterns of paths to them,
// which cannot decide here: files of operators and of families have any name, and a
// `native_functions.yaml` has another schema in PyTorch than in a library. So they are contributed
// with the extension's API, which asks for each document.
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { KINDS, kindOf } from "./kinds";

/** The scheme of the schemas' addresses, and of the generated code: `torchgen-rs://schema/library`. */
export const SCHEME = "torchgen-rs";

const YAML_EXTENSION = "redhat.vscode-yaml";

/** What is used of the YAML extension's API. */
interface YamlApi {
  registerContributor(
    schema: string,
    requestSchema: (resource: string) => string | undefined,
    requestSchemaContent: (uri: string) => string | undefined,
  ): boolean;
}

/** Gives the YAML extension the schemas, now or once it is installed. */
export function contributeSchemas(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): void {
  let contributed = false;
  const contribute = async (): Promise<void> => {
    const yaml = vscode.extensions.getExtension<YamlApi | undefined>(YAML_EXTENSION);
    if (contributed || yaml === undefined) {
      return;
    }
    contributed = true;
    try {
      const api = await yaml.activate();
      api?.registerContributor(SCHEME, addressFor, (address) => schemaAt(context.extensionUri, vscode.Uri.parse(address)));
    } catch (error) {
      log.warn(`The YAML extension takes no schemas: ${String(error)}`);
    }
  };
  context.subscriptions.push(vscode.extensions.onDidChange(() => void contribute()));
  void contribute();
}

/** The address of the schema for a document. */
function addressFor(resource: string): string | undefined {
  if (!vscode.workspace.getConfiguration(SCHEME).get<boolean>("schemas", true)) {
    return undefined;
  }
  const document = vscode.workspace.textDocuments.find((document) => document.uri.toString() === resource);
  const kind = document && kindOf(document.uri.path, document.getText());
  return kind && `${SCHEME}://schema/${kind}`;
}

/** The text of a schema. */
export function schemaAt(extension: vscode.Uri, address: vscode.Uri): string | undefined {
  const kind = KINDS.find((kind) => address.authority === "schema" && address.path === `/${kind}`);
  return kind && readFileSync(vscode.Uri.joinPath(extension, "dist", "schemas", `${kind}.json`).fsPath, "utf8");
}
