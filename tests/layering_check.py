#!/usr/bin/env python3
"""Holds the includes of every room against the table in docs/architecture.md.

A room may include itself, the rooms its row names, what those may include in turn, and base.
A room's tests may include sim as well: a driver's far end there is the simulated arm.
Fails when an include goes sideways or up, when a room is missing from the table, and when a room's
CMake file links a room it may not include. It first proves on small examples that it can fail.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z0-9_]+)/', re.M)
DEPENDS = re.compile(r"DEPENDS\s+((?:[a-z0-9_]+\s*)+?)(?=[A-Z)]|$)")


def allowed_rooms(document: str) -> dict[str, set[str]]:
    """The closure of the table's 'may include' column, with base and the room itself."""
    direct: dict[str, set[str]] = {}
    for line in document.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) >= 5 and re.fullmatch(r"[a-z]+", cells[1]) and cells[1] != "room":
            direct[cells[1]] = set(re.findall(r"[a-z]+", cells[3]))
    closed = {}
    for room in direct:
        reached, todo = {room, "base"}, [room]
        while todo:
            for below in direct.get(todo.pop(), set()) - reached:
                reached.add(below)
                todo.append(below)
        closed[room] = reached
    return closed


def violations(tree: dict[str, str], allowed: dict[str, set[str]]) -> list[str]:
    """tree maps 'room/file' to its text."""
    found = []
    for name, text in sorted(tree.items()):
        room = name.split("/")[0]
        if room not in allowed:
            found.append(f"src/{name}: the room '{room}' is not in the table of docs/architecture.md")
            continue
        if name.endswith("CMakeLists.txt"):
            used = {word for match in DEPENDS.findall(text) for word in match.split()}
        else:
            used = set(INCLUDE.findall(text)) & set(allowed)
        may = allowed[room] | ({"sim"} if name.endswith("_test.cc") else set())
        for other in sorted(used - may):
            found.append(f"src/{name}: '{room}' may not include '{other}'")
    return found


def read_tree() -> dict[str, str]:
    files = [p for p in (ROOT / "src").rglob("*") if p.suffix in {".h", ".cc"} or p.name == "CMakeLists.txt"]
    return {str(p.relative_to(ROOT / "src")): p.read_text() for p in files if p.parent != ROOT / "src"}


def self_test() -> None:
    table = "| room | x | may include |\n| base | . | |\n| game | . | base |\n| arm | . | base |\n| agents | . | game |\n"
    allowed = allowed_rooms(table)
    assert allowed["agents"] == {"agents", "game", "base"}, allowed
    assert not violations({"agents/a.cc": '#include "game/x.h"\n#include "base/y.h"\n'}, allowed)
    for bad in (
        {"game/x.h": '#include "agents/a.h"\n'},
        {"arm/x.h": '#include "game/a.h"\n'},
        {"cellar/x.h": ""},
        {"game/CMakeLists.txt": "rowbot_room(NAME game\n  DEPENDS agents\n  TESTS x.cc)"},
    ):
        assert len(violations(bad, allowed)) == 1, bad


if __name__ == "__main__":
    self_test()
    allowed = allowed_rooms((ROOT / "docs/architecture.md").read_text())
    tree = read_tree()
    found = violations(tree, allowed)
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(tree)} files in {len({n.split('/')[0] for n in tree})} rooms, {len(found)} violations")
    sys.exit(1 if found else 0)
