// Takes the place of the module `vscode`, which only editors have: enough of it for a client to
// start. What is not named here is a value that can be called, constructed and read, and does
// nothing.
"use strict";
const { editor } = require("./editor");

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

const workspace = others({
  getConfiguration: (section) => others({ get: (key, value) => editor.settings.get(`${section}.${key}`) ?? value }),
  get workspaceFolders() {
    return editor.folders.map((path, index) => ({ uri: { fsPath: path, toString: () => `file://${path}` }, name: path, index }));
  },
  get textDocuments() {
    const uri = (path) => ({ path, scheme: "file", toString: () => `file://${path}` });
    return editor.documents.map(({ path, text }) => ({ uri: uri(path), languageId: "yaml", version: 1, getText: () => text }));
  },
  notebookDocuments: [],
  isTrusted: true,
});

const window = others({
  createOutputChannel: channel,
  showErrorMessage: async (message) => void editor.errors.push(message),
  visibleTextEditors: [],
  activeTextEditor: undefined,
  tabGroups: others({ all: [], close: () => Promise.resolve() }),
});

class EventEmitter {
  #listeners = new Set();
  event = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value) {
    this.#listeners.forEach((listener) => listener(value));
  }
  dispose() {
    this.#listeners.clear();
  }
}

const languages = others({ match: () => 10 });
const LogLevel = { Off: 0, Trace: 1, Info: 3 };
const known = { __esModule: true, workspace, window, languages, version: "1.91.0", EventEmitter, LogLevel };
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
