#!/usr/bin/env python3
"""Website and table on a small machine: with everything used once, they stay under 256 MB.

usage: memory_test.py PATH_TO_ROWBOT
Each program runs in a control group that may not take more, where such a group can be made (as root);
what was needed at most is measured in any case.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from serving import Serving, Visitor

ROWBOT = ""
LIMIT_MB = 256


class Group:
    """A control group with a limit of memory, of whichever version the system has."""

    def __init__(self, limit_mb):
        self.folder = None
        for top, limit_file in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            folder = Path(top) / f"rowbot-test-{os.getpid()}"
            try:
                folder.mkdir()
                (folder / limit_file).write_text(str(limit_mb << 20))
                self.folder = folder
                return
            except OSError:
                if folder.exists():
                    folder.rmdir()

    def enter(self):
        """In the child, before the program begins."""
        if self.folder:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        if self.folder:
            self.folder.rmdir()


class Watch:
    """The most memory of its own that a process has while it is watched, in megabytes. Pages of shared libraries do not
    count: the system can drop them and read them again, and other programs use the same."""

    def __init__(self, pid):
        self.pid = pid
        self.most = 0.0
        self.most_with_libraries = 0.0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while not self.over.is_set():
            try:
                status = Path(f"/proc/{self.pid}/status").read_text()
            except OSError:
                return
            sizes = dict(re.findall(r"^(\w+):\s*(\d+) kB", status, re.M))
            own = int(sizes.get("RssAnon", 0)) + int(sizes.get("RssShmem", 0))
            self.most = max(self.most, own / 1024)
            self.most_with_libraries = max(self.most_with_libraries, int(sizes.get("VmHWM", 0)) / 1024)
            self.over.wait(0.02)

    def end(self):
        self.over.set()
        self.thread.join()
        return self.most


class Memory(unittest.TestCase):
    def setUp(self):
        self.group = Group(LIMIT_MB)
        self.addCleanup(self.group.close)
        print("limited by a control group" if self.group.folder else "measured only: no control group can be made here")

    def test_the_website_with_everything_used_once(self):
        with tempfile.TemporaryDirectory() as folder:
            with Serving(ROWBOT, Path(folder) / "games.db", enter=self.group.enter) as server:
                visitor = Visitor(server.port)
                self.addCleanup(visitor.close)
                watch = Watch(server.process.pid)
                self.play_every_level(visitor)
                after_games = watch.most
                self.play_at_the_table(visitor)
                at_end = watch.end()
                self.assertIsNone(server.process.poll(), "the server ended")
        print(
            f"website: {after_games:.0f} MB after a game with every level, {at_end:.0f} MB once the robot's table "
            f"was played at, {watch.most_with_libraries:.0f} MB with shared libraries"
        )
        self.assertLess(at_end, LIMIT_MB)

    def play_every_level(self, visitor):
        levels = [level["name"] for level in visitor.get("/api/v1/levels")[1]["levels"]]
        self.assertIn("perfect", levels)
        for level in levels:
            status, game = visitor.post("/api/v1/games", {"level": level, "human": "first"})
            self.assertEqual(status, 201, game)
            where = f"/api/v1/games/{game['game']}"
            for ply, column in ((0, 4), (2, 3), (4, 5)):
                status, game = visitor.post(where + "/moves", {"column": column, "ply": ply})
                self.assertIn(status, (200, 202), game)
                for _ in range(300):
                    if not game["thinking"]:
                        break
                    time.sleep(0.1)
                    game = visitor.get(where)[1]
                if game["result"]:
                    break
            visitor.get(where + "/hint")
        for moves in ("", "4453", "44444", "1234567", "335544"):
            self.assertEqual(visitor.get(f"/api/v1/analysis?moves={moves}")[0], 200)

    def play_at_the_table(self, visitor):
        status, ticket = visitor.post("/api/v1/table/join")
        self.assertEqual(status, 201)
        where = f"/api/v1/table?token={ticket['token']}"
        key = {"token": ticket["token"]}

        def until(wanted):
            for _ in range(900):
                table = visitor.get(where)[1]
                visitor.get("/api/v1/table/camera")
                if wanted(table):
                    return
                time.sleep(0.1)
            self.fail(f"the table stays as it is: {table}")

        until(lambda table: table["state"] == "waiting")
        visitor.get("/api/v1/table/scene")
        self.assertEqual(visitor.post("/api/v1/table/play", key | {"column": 4, "ply": 0})[0], 200)
        until(lambda table: len(table["moves"]) == 2)

    def test_the_table_for_a_whole_game(self):
        process = subprocess.Popen(
            [ROWBOT, "table", "--seed", "3", "--json"], stdout=subprocess.PIPE, text=True, preexec_fn=self.group.enter
        )
        watch = Watch(process.pid)
        self.assertEqual(process.wait(), 0)
        process.stdout.close()
        most = watch.end()
        print(f"table: {most:.0f} MB, {watch.most_with_libraries:.0f} MB with shared libraries")
        self.assertGreater(most, 10)
        self.assertLess(most, LIMIT_MB)

    def test_a_long_thought_ends_its_tree_where_memory_does(self):
        """A quarter of the group's limit for the tree, whatever the time would allow."""
        if not self.group.folder:
            self.skipTest("needs a control group")
        command = [ROWBOT, "play", "--first", "mcts:time=20s", "--second", "random", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=self.group.enter)
        watch = Watch(process.pid)
        time.sleep(10)
        self.assertIsNone(process.poll(), "the program ended")
        most = watch.end()
        process.terminate()
        process.wait()
        print(f"a thought of ten seconds: {most:.0f} MB")
        self.assertLess(most, LIMIT_MB / 4 + 24, "program and tree")


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main(verbosity=2)
