#!/usr/bin/env python3
"""Measures the language server: python3 bench/lsp.py PROGRAM native_functions.yaml

Prints, in milliseconds, the time until the answer to `initialize`, until the diagnostics of the
opened file, and the median and the longest time from a keystroke to its diagnostics; and the
memory of the server in MB.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

KEYSTROKES = 20


class Server:
    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method: str, params: object, id: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if id is not None:
            message["id"] = id
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def message(self) -> dict:
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def diagnostics(self, uri: str, version: int) -> dict:
        while True:
            params = self.message().get("params", {})
            if params.get("uri") == uri and params.get("version") == version:
                return params

    def memory(self) -> float:
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1000


def main() -> None:
    program, path = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    text = path.read_text()
    uri = path.as_uri()
    start = time.perf_counter()
    elapsed = lambda: 1000 * (time.perf_counter() - start)
    server = Server(program)
    server.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
    server.message()
    print(f"initialize {elapsed():.0f} ms")
    server.send("initialized", {})
    start = time.perf_counter()
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    server.send("textDocument/didOpen", {"textDocument": document})
    server.diagnostics(uri, 1)
    print(f"open {elapsed():.0f} ms")
    times = []
    for version in range(2, 2 + KEYSTROKES):
        # Facts are read after a check, as while somebody pauses.
        time.sleep(1)
        start = time.perf_counter()
        place = {"line": 10 * version, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": "# x\n"}
        document = {"uri": uri, "version": version}
        server.send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        server.diagnostics(uri, version)
        times.append(elapsed())
    print(f"keystroke {statistics.median(times):.0f} ms, at most {max(times):.0f} ms")
    print(f"memory {server.memory():.0f} MB")
    server.send("shutdown", None, id=2)
    server.send("exit", None)
    server.process.wait()


if __name__ == "__main__":
    main()
