"""Files made from templates: ``FileManager`` of ``torchgen_rs.utils``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TypeVar

from . import _torchgen_rs
from .code_template import substituted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable
    from typing import Any

T = TypeVar("T")
_PACKAGE = Path(__file__).absolute().parent


class FileManager:
    """Makes files from the templates of a directory, and writes those that change."""

    def __init__(self, install_dir: str | Path, template_dir: str | Path, dry_run: bool) -> None:
        """Args:
        install_dir: Where the files are written.
        template_dir: Where the templates are.
        dry_run: Write nothing.
        """
        self.install_dir = Path(install_dir)
        self.template_dir = Path(template_dir)
        self.files: set[Path] = set()
        """The files so far, except those that are not compiled."""
        self.dry_run = dry_run

    @property
    def filenames(self) -> frozenset[str]:
        """The files so far."""
        return frozenset(file.as_posix() for file in self.files)

    def _write_if_changed(self, filename: str | Path, contents: str) -> None:
        file = Path(filename)
        file.parent.mkdir(parents=True, exist_ok=True)
        _torchgen_rs.write_text(file, contents)

    def substitute_with_template(
        self, template_fn: str | Path, env_callable: Callable[[], str | dict[str, Any]]
    ) -> str:
        """The text of a file. A string is the text itself; a dictionary has the values of the
        template's placeholders, and ``generated_comment`` is added if it is missing."""
        if Path(template_fn).is_absolute():
            raise AssertionError(f"`{template_fn}` is not relative to the directory of templates")
        env = env_callable()
        if isinstance(env, str):
            return env
        env = {"generated_comment": _comment(template_fn), **env}
        template = (self.template_dir / template_fn).read_text(encoding="utf-8")
        return substituted(template, env, is_file=True)

    def write_with_template(
        self,
        filename: str | Path,
        template_fn: str | Path,
        env_callable: Callable[[], str | dict[str, Any]],
    ) -> None:
        """Writes a file."""
        if Path(filename).is_absolute():
            raise AssertionError(f"`{filename}` is not relative to the install directory")
        file = self.install_dir / filename
        if file in self.files:
            raise AssertionError(f"{file} is written twice")
        self.files.add(file)
        if not self.dry_run:
            self._write_if_changed(file, self.substitute_with_template(template_fn, env_callable))

    def write(self, filename: str | Path, env_callable: Callable[[], str | dict[str, Any]]) -> None:
        """Writes a file from the template of the same name."""
        self.write_with_template(filename, filename, env_callable)

    def write_sharded(
        self,
        filename: str | Path,
        items: Iterable[T],
        *,
        key_fn: Callable[[T], str],
        env_callable: Callable[[T], dict[str, list[str]]],
        num_shards: int,
        base_env: dict[str, Any] | None = None,
        sharded_keys: set[str],
    ) -> None:
        """Writes the shards of a file from the template of the same name."""
        self.write_sharded_with_template(
            filename,
            filename,
            items,
            key_fn=key_fn,
            env_callable=env_callable,
            num_shards=num_shards,
            base_env=base_env,
            sharded_keys=sharded_keys,
        )

    def write_sharded_with_template(
        self,
        filename: str | Path,
        template_fn: str | Path,
        items: Iterable[T],
        *,
        key_fn: Callable[[T], str],
        env_callable: Callable[[T], dict[str, list[str]]],
        num_shards: int,
        base_env: dict[str, Any] | None = None,
        sharded_keys: set[str],
    ) -> None:
        """Writes items to several files, and all of them to one that is not compiled.

        Args:
            filename: ``Register.cpp`` becomes ``Register_0.cpp`` and so on.
            template_fn: The template of all.
            items: What the files have.
            key_fn: The text that decides the shard of an item.
            env_callable: The values of an item.
            num_shards: The number of shards.
            base_env: Values that all have; those of sharded keys come before the items'.
            sharded_keys: The names of the items' values.
        """
        if Path(filename).is_absolute():
            raise AssertionError(f"`{filename}` is not relative to the install directory")
        base = dict(base_env or {})
        for key in sharded_keys:
            if not isinstance(base.setdefault(key, []), list):
                raise AssertionError(f"the value of `{key}` in `base_env` is not a list")

        def shard(name: str) -> dict[str, Any]:
            own: dict[str, Any] = {key: list(base[key]) for key in sharded_keys}
            return {"shard_id": name, **base, **own}

        everything, shards = shard("Everything"), [shard(f"_{i}") for i in range(num_shards)]
        # A dry run needs no values.
        for item in () if self.dry_run else items:
            values = env_callable(item)
            for env in (everything, shards[_torchgen_rs.shard_of(key_fn(item), num_shards)]):
                for key, lines in values.items():
                    if key not in sharded_keys:
                        raise AssertionError(f"`{key}` is not among the sharded keys")
                    env[key] += lines
        stem, suffix = Path(filename).stem, Path(filename).suffix
        for env in (everything, *shards):
            file = Path(filename).with_name(f"{stem}{env['shard_id']}{suffix}")
            self.write_with_template(file, template_fn, lambda env=env: env)  # type: ignore[misc]
        self.files.discard(self.install_dir / Path(filename).with_name(f"{stem}Everything{suffix}"))

    def write_outputs(self, variable_name: str, filename: str | Path) -> None:
        """Writes a list of the files for CMake."""
        names = (f'    "{file.as_posix()}"' for file in sorted(self.files))
        self._write_if_changed(filename, "\n".join(("set(", variable_name, *names, ")")))

    def template_dir_for_comments(self) -> str:
        """The directory of templates, relative to this package."""
        return os.path.relpath(self.template_dir, _PACKAGE)


def make_file_manager(options: Namespace, install_dir: str | Path | None = None) -> FileManager:
    """The manager for the arguments of a script."""
    templates = os.path.join(options.source_path, "templates")
    return FileManager(install_dir or options.install_dir, templates, options.dry_run)


def _comment(template: str | Path) -> str:
    """The line that says how a file was made: by the program that runs."""
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    generator = Path(main).absolute() if main else _PACKAGE / "gen.py"
    inside = generator.is_relative_to(_PACKAGE.parent)
    name = generator.relative_to(_PACKAGE.parent).as_posix() if inside else generator.name
    return "@" + f"generated by {name} from {template}"
