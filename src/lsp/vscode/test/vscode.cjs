// Takes the place of the module `vscode`, which only editors have: enough of it for a client to
// start. What is not named here is a value that can be called, constructed and read, and does
// nothing.
"use strict";
const { join } = require("node:path");
const { editor, EventEmitter } = require("./editor");

const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === "then" || typeof name === "symbol" ? undefined : nothing),
  apply: () => nothing,
  construct: () => nothing,
});

/** Some properties; all others do nothing. */
function others(known) {
  return new Proxy(known, {
    get: (target, name) => (name in target || name === "then" || typeof name === "symbol" ? target[name] : nothing),
  });
}

function channel() {
  const write = (message) => editor.log.push(String(message));
  return others({ info: write, warn: write, error: write, logLevel: 3 });
}

/** The parts of an address. */
class Uri {
  constructor(scheme, authority, path) {
    Object.assign(this, { scheme, authority, path, fsPath: path });
  }
  static parse(text) {
    const [, scheme, authority, path] = /^([^:]+):(?:\/\/([^/]*))?(.*)$/.exec(text);
    return new Uri(scheme, authority ?? "", path);
  }
  static file = (path) => new Uri("file", "", path);
  static from = ({ scheme, path }) => new Uri(scheme, "", path);
  static joinPath = (base, ...parts) => new Uri(base.scheme, base.authority, join(base.path, ...parts));
  toString() {
    return `${this.scheme}:${this.scheme === "file" || this.authority ? `//${this.authority}` : ""}${this.path}`;
  }
}

const extensions = others({ getExtension: (id) => editor.extensions.get(id), onDidChange: editor.installed.event });

const workspace = others({
  getConfiguration: (section) => others({ get: (key, value) => editor.settings.get(`${section}.${key}`) ?? value }),
  get workspaceFolders() {
    return editor.folders.map((path, index) => ({ uri: Uri.file(path), name: path, index }));
  },
  get textDocuments() {
    const files = editor.documents.map(({ path, text }) => ({ uri: Uri.file(path), languageId: "yaml", version: 1, getText: () => text }));
    return [...files, ...editor.visible.map(({ document }) => document).filter(({ uri }) => uri.scheme !== "file")];
  },
  notebookDocuments: [],
  registerTextDocumentContentProvider: (scheme, provider) => void editor.provided.set(scheme, provider),
  openTextDocument: async (uri) => ({ uri, languageId: "plaintext", isClosed: false }),
  isTrusted: true,
});

const window = others({
  createOutputChannel: channel,
  showErrorMessage: async (message) => void editor.errors.push(message),
  showTextDocument: async (document) => void editor.visible.push({ document }),
  onDidChangeTextEditorSelection: editor.moved.event,
  get visibleTextEditors() {
    return editor.visible;
  },
  get activeTextEditor() {
    return editor.visible[0];
  },
  tabGroups: others({ all: [], close: () => Promise.resolve() }),
});

const languages = others({
  match: () => 10,
  setTextDocumentLanguage: async (document, language) => Object.assign(document, { languageId: language }),
});
const commands = others({ registerCommand: (name, run) => void editor.commands.set(name, run) });
const LogLevel = { Off: 0, Trace: 1, Info: 3 };
const known = { __esModule: true, workspace, window, languages, commands, extensions, version: "1.91.0", EventEmitter, LogLevel, Uri };
const classes = new Map();

/** A class that clients extend, or a namespace. */
function named(name) {
  if (!classes.has(name)) {
    classes.set(name, /^[A-Z]/.test(name) ? class { static from = () => nothing; } : nothing);
  }
  return classes.get(name);
}

// Bundlers copy the properties of a module, and give the copy its prototype.
module.exports = new Proxy(known, {
  get: (target, name) => (name in target || typeof name === "symbol" ? target[name] : named(name)),
  getPrototypeOf: () => module.exports,
});
