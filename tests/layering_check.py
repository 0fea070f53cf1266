#!/usr/bin/env python3
"""Holds the includes and the link lists of every room against the table in docs/architecture.md.

A room may include and link itself, the rooms its row names, what those may use in turn, and base.
Tests (x_test.cc, and a CMake file's TEST_LIBRARIES) may use robot/sim and trials as well.
Fails when an include goes sideways or up, when a folder with sources is not in the table, and when
a CMake file links a room it may not include, by DEPENDS or by a target's name; when the server sees
Eigen, MuJoCo, OpenCV or a simulation, through whatever header; and when base, game or engine start threads
outside of one file. It first proves on small examples that it can fail.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z0-9_/]+)/[a-z0-9_]+\.h"', re.M)
SECTION = re.compile(r"\b([A-Z][A-Z_]+)\b((?:\s+(?!\)|[A-Z][A-Z_]+\b)\S+)*)")
FOR_TESTS = {"robot/sim", "trials"}
THREADS = re.compile(r"^\s*#\s*include\s+<(thread|stop_token|future|condition_variable|semaphore|latch|barrier)>", re.M)
WITHOUT_THREADS = ("base/", "game/", "engine/")
THREADS_ALLOWED = {"base/parallel.cc"}
ANY_INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
# What a room may not see, not even through others: the server knows a table, never its arm or its physics.
UNSEEN = {"service/server": ("Eigen/", "mujoco/", "opencv2/", "robot/sim/", "robot/station/")}


def read_table(document: str) -> dict[str, set[str]]:
    """The closure of the table's 'may include' column, with base and the room itself."""
    direct: dict[str, set[str]] = {}
    for line in document.splitlines():
        cells = [cell.strip().strip("`") for cell in line.split("|")]
        if len(cells) >= 5 and re.fullmatch(r"[a-z/]+", cells[1]) and cells[1] != "room":
            direct[cells[1]] = set(re.findall(r"[a-z/]+", cells[3]))
    for room, below in direct.items():
        unknown = below - set(direct)
        assert not unknown, f"docs/architecture.md: {room} may include {sorted(unknown)}, which are not in the table"
    closed = {}
    for room in direct:
        reached, todo = {room, "base"}, [room]
        while todo:
            for below in direct.get(todo.pop(), set()) - reached:
                reached.add(below)
                todo.append(below)
        closed[room] = reached
    return closed


def room_of(path: str, rooms: dict[str, set[str]]) -> str | None:
    """The longest room that is the folder of `path` or above it."""
    parts = path.split("/")
    names = ["/".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((name for name in names if name in rooms), None)


def linked(text: str, rooms: dict[str, set[str]]) -> list[tuple[str, bool]]:
    """The rooms a CMake file links, and whether for its tests alone."""
    targets = {name.split("/")[-1]: name for name in rooms}
    used = []
    text = re.sub(r"#.*", "", text)
    for section, words in SECTION.findall(text):
        for word in words.strip(") \n").split():
            word = word.strip(")")
            if section == "DEPENDS":
                # A target of this name that the table does not know is a hidden room.
                used.append((targets.get(word, word), False))
            elif word.startswith("rowbot_") and word[7:] in targets:
                used.append((targets[word[7:]], section == "TEST_LIBRARIES"))
    return used


def violations(tree: dict[str, str], rooms: dict[str, set[str]]) -> list[str]:
    """tree maps 'room/file', below src, to its text."""
    found = []
    for name, text in sorted(tree.items()):
        room = room_of(str(Path(name).parent), rooms)
        if room is None:
            found.append(f"src/{name}: the folder is not in the table of docs/architecture.md")
            continue
        if name.endswith("CMakeLists.txt"):
            uses = linked(text, rooms)
        else:
            test = name.endswith("_test.cc")
            uses = [(other, test) for folder in INCLUDE.findall(text) if (other := room_of(folder, rooms))]
            if name.startswith(WITHOUT_THREADS) and not test and name not in THREADS_ALLOWED:
                found += [f"src/{name}: may not include <{header}>" for header in THREADS.findall(text)]
        for other, test in sorted(set(uses)):
            if other not in rooms[room] | (FOR_TESTS if test else set()):
                found.append(f"src/{name}: '{room}' may not use '{other}'")
    return found


def reached_by(name: str, tree: dict[str, str]) -> dict[str, str]:
    """Every header that a file sees, with the file that includes it."""
    seen, todo = {}, [name]
    while todo:
        above = todo.pop()
        for header in ANY_INCLUDE.findall(tree.get(above, "")):
            if header not in seen:
                seen[header] = above
                todo.append(header)
    return seen


def sights(tree: dict[str, str], unseen: dict[str, tuple[str, ...]]) -> list[str]:
    found = []
    for room, headers in unseen.items():
        for name in sorted(tree):
            if not name.startswith(room + "/") or name.endswith("_test.cc"):
                continue
            for header, above in sorted(reached_by(name, tree).items()):
                if header.startswith(headers):
                    found.append(f"src/{name}: sees <{header}>, through src/{above}")
    return found


def read_tree() -> dict[str, str]:
    files = [p for p in (ROOT / "src").rglob("*") if p.suffix in {".h", ".cc"} or p.name == "CMakeLists.txt"]
    return {str(p.relative_to(ROOT / "src")): p.read_text() for p in files if p.parent != ROOT / "src"}


def self_test() -> None:
    table = """| room | x | may include | x |
| base | . | | . |
| base/sqlite | . | base | . |
| game | . | base | . |
| engine/agents | . | game | . |
| robot/arm | . | base | . |
| robot/sim | . | robot/arm | . |
| trials | . | robot/sim | . |
"""
    rooms = read_table(table)
    assert rooms["engine/agents"] == {"engine/agents", "game", "base"}, rooms
    for good in (
        {"engine/agents/a.cc": '#include "game/x.h"\n#include "base/y.h"\n#include "gtest/gtest.h"\n'},
        {"engine/agents/mcts/a.cc": '#include "engine/agents/b.h"\n#include "game/x.h"\n'},
        {"robot/arm/x_test.cc": '#include "trials/a.h"\n'},
        {"base/parallel.cc": "#include <thread>\n", "robot/arm/x.cc": "#include <thread>\n"},
        {
            "robot/arm/CMakeLists.txt": "rowbot_room(NAME arm\n  DEPENDS base\n  TEST_LIBRARIES rowbot_trials\n  TESTS a.cc)"
        },
    ):
        assert not violations(good, rooms), good
    for bad in (
        {"game/x.h": '#include "engine/agents/a.h"\n'},
        {"game/x.h": '#include "base/sqlite/a.h"\n'},
        {"game/x.h": "#include <thread>\n"},
        {"robot/arm/x.h": '#include "game/a.h"\n'},
        {"robot/arm/x.h": '#include "trials/a.h"\n'},
        {"cellar/x.h": ""},
        {"game/CMakeLists.txt": "rowbot_room(NAME game\n  DEPENDS agents\n  TESTS x.cc)"},
        {"game/CMakeLists.txt": "rowbot_room(NAME game\n  DEPENDS cellar)"},
        {"robot/arm/CMakeLists.txt": "rowbot_room(NAME arm\n  LIBRARIES rowbot_trials)"},
        {"robot/arm/CMakeLists.txt": "target_link_libraries(x PRIVATE rowbot_sim)"},
    ):
        assert len(violations(bad, rooms)) == 1, bad
    through = {"a/x.cc": '#include "b/y.h"\n', "b/y.h": "#include <Eigen/Core>\n", "a/x_test.cc": '#include "b/y.h"\n'}
    assert len(sights(through, {"a": ("Eigen/",)})) == 1
    assert not sights(through, {"a": ("mujoco/",)})


if __name__ == "__main__":
    self_test()
    rooms = read_table((ROOT / "docs/architecture.md").read_text())
    tree = read_tree()
    found = violations(tree, rooms) + sights(tree, UNSEEN)
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(tree)} files in {len(rooms)} rooms, {len(found)} violations")
    sys.exit(1 if found else 0)
