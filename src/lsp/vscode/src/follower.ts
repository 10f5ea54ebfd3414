// The code that is generated from the place of the cursor: asks the server each time the cursor
// rests, and shows the latest answer only. Nothing here needs VS Code.
import {
  type CancellationToken,
  CancellationTokenSource,
  ErrorCodes,
  LSPErrorCodes,
  type Position,
  RequestType,
  ResponseError,
  type TextDocumentPositionParams,
} from "vscode-languageserver-protocol";

/** The code that is generated from a place. */
export interface GeneratedCode {
  /** What it belongs to, such as the operator. */
  readonly title: string;
  /** The language, as editors name it: `cpp`, `python`. */
  readonly languageId: string;
  readonly text: string;
}

/** `torchgen-rs/generatedCode`: null if nothing is generated from the place. */
export const generatedCode = new RequestType<TextDocumentPositionParams, GeneratedCode | null, void>(
  "torchgen-rs/generatedCode",
);

/** What can send the request: a client of VS Code, or a plain connection. */
export interface Requests {
  sendRequest(
    type: typeof generatedCode,
    params: TextDocumentPositionParams,
    token: CancellationToken,
  ): Promise<GeneratedCode | null>;
}

/** A place in a document. */
export interface Place {
  readonly uri: string;
  readonly position: Position;
}

/** How long the cursor rests before the server is asked, in milliseconds. */
const REST = 150;

/** What is shown where nothing is generated, or the server does not know what. */
export const NOTHING: GeneratedCode = {
  title: "torchgen-rs",
  languageId: "plaintext",
  text: "torchgen-rs generates nothing from this place, or the files have errors.\n",
};

/** Follows a cursor. */
export class Follower {
  readonly #requests: () => Requests | undefined;
  readonly #show: (code: GeneratedCode) => void;
  readonly #rest: number;
  #timer: NodeJS.Timeout | undefined;
  #asked: CancellationTokenSource | undefined;

  constructor(requests: () => Requests | undefined, show: (code: GeneratedCode) => void, rest = REST) {
    this.#requests = requests;
    this.#show = show;
    this.#rest = rest;
  }

  /** The cursor is at a place now. What was asked about an earlier place is cancelled. */
  moved(place: Place): void {
    this.stop();
    this.#timer = setTimeout(() => {
      void this.#ask(place);
    }, this.#rest);
  }

  /** Asks no more, until the cursor moves. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#asked?.cancel();
    this.#asked = undefined;
  }

  async #ask(place: Place): Promise<void> {
    const requests = this.#requests();
    if (requests === undefined) {
      this.#show({ ...NOTHING, text: "The server of torchgen-rs does not run.\n" });
      return;
    }
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    const params = { textDocument: { uri: place.uri }, position: place.position };
    let answer: GeneratedCode | undefined;
    try {
      answer = (await requests.sendRequest(generatedCode, params, asked.token)) ?? NOTHING;
    } catch (error) {
      answer = ofError(error);
    }
    if (this.#asked === asked) {
      this.#asked = undefined;
      if (answer !== undefined) {
        this.#show(answer);
      }
    }
  }
}

/** What to show after an error; nothing if another request follows. */
function ofError(error: unknown): GeneratedCode | undefined {
  const code = error instanceof ResponseError ? error.code : undefined;
  if (code === LSPErrorCodes.RequestCancelled || code === LSPErrorCodes.ContentModified) {
    return undefined;
  }
  if (code === ErrorCodes.MethodNotFound) {
    return { ...NOTHING, text: "This version of torchgen-rs does not show generated code.\n" };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { ...NOTHING, text: `The generated code cannot be shown: ${message}\n` };
}
