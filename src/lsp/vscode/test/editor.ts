// What a test sets and sees of the editor that `vscode.cjs` pretends to be.

/** Events, as `vscode` has them. */
export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): { dispose: () => void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value: T): void {
    this.#listeners.forEach((listener) => listener(value));
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

/** An editor of a document, with a cursor. */
export interface TextEditor {
  readonly document: { readonly uri: { toString: () => string }; languageId: string };
  readonly selection: { readonly active: { readonly line: number; readonly character: number } };
}

export const editor = {
  settings: new Map<string, unknown>(),
  folders: [] as string[],
  documents: [] as { readonly path: string; readonly text: string }[],
  extensions: new Map<string, { activate: () => Promise<unknown> }>(),
  /** The editors that are visible; the first is the active one. */
  visible: [] as TextEditor[],
  /** What a provider registered for a scheme. */
  provided: new Map<string, { provideTextDocumentContent: (address: unknown) => string | undefined }>(),
  commands: new Map<string, () => Promise<void>>(),
  moved: new EventEmitter<{ textEditor: TextEditor }>(),
  /** Fired when an extension is installed. */
  installed: new EventEmitter<undefined>(),
  errors: [] as string[],
  log: [] as string[],
};
