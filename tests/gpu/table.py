"""The table: a row for each check, with how it ended."""

import time


class NotRun(Exception):
    """Why a check cannot be run here."""


class Table:
    """Runs checks and prints their rows."""

    def __init__(self, limit):
        self.start, self.limit = time.monotonic(), limit
        self.passed, self.failed, self.not_run = [], [], []

    def row(self, name, check):
        """Runs a check. Returns what it returns, or None if it fails or cannot be run."""
        start, value = time.monotonic(), None
        try:
            if start - self.start > self.limit:
                raise AssertionError(f"{self.limit} s were over before it")
            value = check()
            how = "pass"
            self.passed.append(name)
        except NotRun as reason:
            how = f"not run: {reason}"
            self.not_run.append(name)
        except Exception as error:  # Whatever a check raises is its failure.
            lines = f"{type(error).__name__}: {error}".splitlines()
            how = f"FAILED: {lines[0]}"
            self.failed.append(name)
            print("\n".join(lines[1:]))
        print(f"| {name:<44} | {time.monotonic() - start:6.1f} s | {how}", flush=True)
        return value

    def status(self):
        """The status of the program, and the last line."""
        count = f"{len(self.passed)} passed, {len(self.failed)} failed, {len(self.not_run)} not run"
        print(f"{count}, in {time.monotonic() - self.start:.0f} s")
        return 1 if self.failed else 0
