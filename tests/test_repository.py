"""What the pages promise exists, versions agree, and the command line stays light."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command
from typer.testing import CliRunner

import expedition
from expedition.cli import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL_FENCE = re.compile(r"^(`{3,}|:{3,})\{?(?:code-block\} *)?(console|sh|bash|shell)\}?[^\n]*\n(.*?)^\1", re.M | re.S)
QUICK_COMMANDS = {"terrain", "robot", "strategy"}
GENERATED = {".git", ".venv", "_build", "__pycache__", "build", "dist", "demo"}
CACHES = {".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}


def shell_commands(page: Path) -> Iterator[list[str]]:
    """The commands in a page's shell fences, in order, each as its words. Output in `console` fences is left out."""
    for _, language, block in SHELL_FENCE.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            if language == "console" and not line.startswith("$ "):
                continue
            for command in line.removeprefix("$ ").split("&&"):
                words = shlex.split(command, comments=True)
                if words:
                    yield words


def inline_commands(page: Path, program: str) -> list[str]:
    """What stands between single backticks in a page's text and begins with `program`."""
    return re.findall(rf"`({program} [^`\n]+)`", page.read_text(encoding="utf-8"))


def files_of_repository() -> Iterator[Path]:
    for path in ROOT.rglob("*"):
        if path.is_file() and not (GENERATED | CACHES) & set(path.relative_to(ROOT).parts):
            yield path


def command_named(words: list[str]) -> Any:
    """The command that `words` after `expedition` lead to; options and arguments may follow it."""
    command: Any = get_command(app)
    for word in words:
        if not hasattr(command, "commands") or word.startswith("-"):
            break
        assert word in command.commands, f"no command {word!r}; there are {sorted(command.commands)}"
        command = command.commands[word]
    return command


def modules_after(code: str) -> set[str]:
    """The modules loaded in a new interpreter that has run `code`."""
    report = f"import sys\n{code}\nprint('loaded:', *sys.modules)"
    result = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(result.stdout.rpartition("loaded:")[2].split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_named_in_a_page_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = [words for words in shell_commands(page) if words[0] == "make"]
    named += [command.split() for command in inline_commands(page, "make")]
    for words in named:
        asked = {word for word in words[1:] if re.fullmatch("[a-z]+", word)}
        assert asked <= targets, f"{page.name}: {' '.join(words)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_expedition_command_named_in_a_page_exists(page: Path) -> None:
    for words in shell_commands(page):
        if Path(words[0]).name == "expedition":
            command_named(words[1:])
    for command in inline_commands(page, "expedition"):
        command_named(command.split()[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_a_page_work_as_they_stand(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in shell_commands(page):
        if Path(words[0]).name == "expedition" and QUICK_COMMANDS & set(words[1:2]):
            result = CliRunner().invoke(app, words[1:])
            assert result.exit_code == 0, f"{page.name}: {shlex.join(words)}\n{result.output}{result.exception}"


@pytest.mark.parametrize(
    "page",
    [ROOT / "README.md", ROOT / "docs" / "exploring.md", ROOT / "docs" / "simulator.md"],
    ids=lambda page: page.name,
)
def test_python_in_a_page_runs_as_it_stands(page: Path, tmp_path: Path) -> None:
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        run = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr


def test_the_readme_names_the_two_commands_that_start_everything() -> None:
    commands = list(shell_commands(ROOT / "README.md"))
    assert ["make", "demo"] in commands
    assert ["make", "test"] in commands


def test_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert project["version"] == expedition.__version__ == str(citation["version"])
    assert project["license"] == citation["license"]
    assert project["version"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_file_names_a_package_registry() -> None:
    hosts = [".".join(parts).encode() for parts in (("pypi", "org"), ("registry", "npmjs"), ("deb", "debian"))]
    hosts.append(b"files." + b"pythonhosted")
    naming = [path for path in files_of_repository() if any(host in path.read_bytes() for host in hosts)]
    assert naming == []


def test_scripts_can_be_run() -> None:
    for script in [ROOT / ".ci" / "run", *(ROOT / "tools").iterdir()]:
        assert script.stat().st_mode & 0o111, script
        assert script.read_bytes().startswith(b"#!"), script


@pytest.mark.parametrize(
    "code",
    [
        "import expedition.cli",
        "from typer.testing import CliRunner\nfrom expedition.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0",
        "from typer.testing import CliRunner\nfrom expedition.cli import app\n"
        "assert CliRunner().invoke(app, ['terrain', '--help']).exit_code == 0",
        "from typer.testing import CliRunner\nfrom expedition.cli import app\n"
        "assert CliRunner().invoke(app, ['explore', '--help']).exit_code == 0",
        "from typer.testing import CliRunner\nfrom expedition.cli import app\n"
        "assert CliRunner().invoke(app, ['film', '--help']).exit_code == 0",
    ],
    ids=["import", "help", "terrain help", "explore help", "film help"],
)
def test_help_loads_neither_numpy_nor_numba(code: str) -> None:
    heavy = {"numpy", "scipy", "numba", "matplotlib", "skimage", "PIL", "av"}
    assert heavy & modules_after(code) == set()


def test_a_module_that_is_loaded_would_be_noticed() -> None:
    assert "numpy" in modules_after("import numpy")
