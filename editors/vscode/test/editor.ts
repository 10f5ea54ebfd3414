// What a test sets and sees of the editor that `vscode.cjs` pretends to be.
export const editor = {
  settings: new Map<string, unknown>(),
  folders: [] as string[],
  documents: [] as { readonly path: string; readonly text: string }[],
  errors: [] as string[],
  log: [] as string[],
};
