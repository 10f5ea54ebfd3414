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

export const editor = {
  settings: new Map<string, unknown>(),
  folders: [] as string[],
  documents: [] as { readonly path: string; readonly text: string }[],
  extensions: new Map<string, { activate: () => Promise<unknown> }>(),
  /** Fired when an extension is installed. */
  installed: new EventEmitter<undefined>(),
  errors: [] as string[],
  log: [] as string[],
};
