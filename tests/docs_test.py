#!/usr/bin/env python3
"""Holds README, CONTRIBUTING and docs/*.md against the program and the tree, without running the commands they show:
every `rowbot ...` names a subcommand and options that --help knows, every `make X` a target of the Makefile, every
relative link a file and a heading, every key of a document one of docs/references.md.

usage: docs_test.py PATH_TO_ROWBOT
"""

import functools
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

ROWBOT = ""
ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
SEPARATORS = {";", "|", "||", "&", "&&", ">"}


@functools.lru_cache(maxsize=None)
def help_of(*command):
    """What `rowbot COMMAND... --help` lists: names of subcommands and of long and short options."""
    run = subprocess.run([ROWBOT, *command, "--help"], capture_output=True, text=True, timeout=60)
    if run.returncode != 0:
        raise AssertionError(f"rowbot {' '.join(command)} --help ended with {run.returncode}: {run.stderr}")
    _, _, tail = run.stdout.partition("Subcommands:\n")
    subcommands = frozenset(re.findall(r"^  ([a-z][\w-]*)", tail, re.MULTILINE))
    listed = re.findall(r"^  (-[\w,-]+)", run.stdout, re.MULTILINE)
    return subcommands, frozenset(option for names in listed for option in names.split(","))


def code_of(text):
    """The lines of fenced blocks, and the code spans of the rest with their line breaks taken out."""
    for block in FENCE.findall(text):
        yield from block.replace("\\\n", " ").split("\n")
    for span in SPAN.findall(FENCE.sub("", text)):
        yield " ".join(span.split())


def commands_of(line):
    """Each call of rowbot or make in a line of shell, as a list of words that begins with its name."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:  # prose or data with a lone quote
        return
    call, prefix = [], True
    for before, word in zip(["", *words], [*words, ";"]):
        if word in SEPARATORS:
            if call:
                yield call
            call, prefix = [], True
        elif call:
            call.append(word)
        elif prefix and Path(word).name in ("make", "rowbot") and before != "-u":
            call = [Path(word).name]
        else:  # 'sudo -u rowbot' may stand before a command, other words name another one
            prefix = prefix and (word in ("sudo", "time", "-u") or before == "-u")


def wrong_with(call):
    """What is wrong with a call of rowbot, or None."""
    path = []
    for word in call[1:]:
        subcommands, options = help_of(*path)
        if word.startswith("-") and not re.fullmatch(r"-[\d.]+", word):
            if word.split("=")[0] not in options:
                return f"'rowbot {' '.join(path)}' has no option {word}"
        elif subcommands and re.fullmatch(r"[a-z][\w-]*", word):
            if word not in subcommands:
                return f"'rowbot {' '.join(path)}' has no subcommand {word}"
            path.append(word)
    return None


def anchors_of(page):
    """The anchors of a page's headings, made as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Checks(unittest.TestCase):
    def test_wrong_commands_are_found(self):
        text = "Look:\n```\nrowbot arm drop --robot panda  # fine\nsudo -u rowbot rowbot doctor --nothing; rowbot fly\n```\n"
        text += "and `rowbot table\n--record a.mp4 --colour`, `rowbot -1`"
        calls = [call for line in code_of(text) for call in commands_of(line)]
        found = [wrong_with(call) for call in calls]
        self.assertEqual(
            [wrong for wrong in found if wrong],
            [
                "'rowbot doctor' has no option --nothing",
                "'rowbot ' has no subcommand fly",
                "'rowbot table' has no option --colour",
            ],
        )
        self.assertEqual(len(calls), 5)


class Pages(unittest.TestCase):
    def test_every_command_exists_with_its_options(self):
        targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        seen = 0
        for page in PAGES:
            for line in code_of(page.read_text()):
                for call in commands_of(line):
                    with self.subTest(page=page.name, command=" ".join(call)):
                        if call[0] == "make":
                            named = [word for word in call[1:] if re.fullmatch(r"[a-z][\w-]*", word)]
                            self.assertLessEqual(set(named), targets)
                        else:
                            self.assertIsNone(wrong_with(call))
                            seen += 1
        self.assertGreater(seen, 100, "hardly any command was found: is code_of() right?")

    def test_every_relative_link_leads_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text())):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                other = (page.parent / name).resolve() if name else page
                with self.subTest(page=page.name, link=target):
                    self.assertTrue(other.exists(), "no such file")
                    if anchor:
                        self.assertIn(anchor, anchors_of(other))

    def test_documents_are_cited_by_a_key_of_the_references(self):
        references = (ROOT / "docs" / "references.md").read_text()
        keys = set(re.findall(r"^\| ([A-Z]\w+ \d{4}) \|", references, re.MULTILINE))
        self.assertLessEqual({"Carlo 2020", "Rhodes 1993", "Boehm 2016", "Dublin 2020", "Panda 2020"}, keys)
        for page in PAGES:
            text = " ".join(page.read_text().split())
            with self.subTest(page=page.name):
                for name, year in re.findall(r"\b(Carlo|Rhodes|Boehm|Dublin|Panda),? (\d{4})\b", text):
                    self.assertIn(f"{name} {year}", keys)
                self.assertEqual(re.findall(r"paper 00\d|original study|[Tt]he thesis", text), [])

    def test_the_source_cites_by_the_same_keys(self):
        for folder in ("apps", "src", "web/src"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix in {".h", ".cc", ".ts", ".tsx"}:
                    found = re.findall(
                        r"[Pp]aper 00\d|original study|[Tt]he thesis|(?:Carlo|Boehm) thesis", path.read_text()
                    )
                    self.assertEqual(found, [], path.relative_to(ROOT))

    def test_every_page_is_in_the_index(self):
        index = (ROOT / "docs" / "README.md").read_text()
        for page in (ROOT / "docs").glob("*.md"):
            if page.name != "README.md":
                self.assertIn(f"({page.name}", index, f"docs/README.md does not name {page.name}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ROWBOT = sys.argv.pop(1)
    unittest.main()
