#!/usr/bin/env python3
"""Games over several processes: the parent and its children of 1993, and MPI.

usage: cluster_test.py PATH_TO_ROWBOT [PATH_TO_ROWBOT_MPI]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROWBOT = ""
ROWBOT_MPI = ""


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **more)


class ChildrenOf1993(unittest.TestCase):
    def test_a_child_speaks_the_protocol(self):
        # The opponent begins in column 3; child 2 values its column twice; the game ends.
        ended = run(ROWBOT, "child", input="n\n3\n2\n3\ny\n3\n2\n2\nn\n")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        values = ended.stdout.splitlines()
        self.assertEqual(len(values), 2)
        for value in values:
            self.assertRegex(value, "^-?[0-9]+$")

    def test_a_child_complains_on_standard_error_only(self):
        for typed in ("y\n9\n", "y\n" + "1" * 100000, "y\n3\n"):
            ended = run(ROWBOT, "child", input=typed)
            self.assertEqual(ended.returncode, 1)
            self.assertIn("rowbot:", ended.stderr)

    def play(self, *arguments):
        ended = run(ROWBOT, "parent", "--opponent", "forward", "--json", *arguments)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)

    def test_seven_children_play_what_the_agent_plays(self):
        game = self.play("--seed", "3")
        self.assertEqual((game["restarts"], game["orphans"]), (0, 0))
        self.assertIn(game["result"], ("first", "second", "draw"))

    def test_the_game_is_the_same_when_children_fail(self):
        whole = self.play("--second", "--seed", "5")
        child = f"exec {ROWBOT} child"
        short_lived = f"head -n 9 | {ROWBOT} child"  # ends in the middle of the game
        troubled = self.play(
            "--second",
            "--seed",
            "5",
            "--patience",
            "3s",
            "--children",
            child,
            "--children",
            short_lived,
            "--children",
            "echo nonsense; cat >&2",
            "--children",
            child,
            "--children",
            "exit 1",
            "--children",
            child,
            "--children",
            "head -c 100000 /dev/urandom",
        )
        self.assertEqual(troubled["moves"], whole["moves"])
        self.assertGreater(troubled["orphans"], 0)


class Mpi(unittest.TestCase):
    def setUp(self):
        if not ROWBOT_MPI or not shutil.which("mpirun"):
            self.skipTest("there is no MPI here")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def mpi(self, ranks, *arguments, db):
        ended = run(
            "mpirun",
            "--allow-run-as-root",
            "--oversubscribe",
            "--mca",
            "mpi_yield_when_idle",
            "1",
            "-n",
            str(ranks),
            ROWBOT_MPI,
            *arguments,
            "--db",
            os.path.join(self.folder.name, db),
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def single(self, *arguments, db):
        ended = run(ROWBOT, *arguments, "--db", os.path.join(self.folder.name, db))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_a_number_below_0_is_wrong_usage(self):
        ended = run(ROWBOT_MPI, "match", "random", "random", "--seed=-1")
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("'-1' is below 0", ended.stderr)

    def test_a_match_gives_the_same_bytes_on_any_number_of_processes(self):
        match = ("match", "mcts:sims=50", "forward", "--games", "60", "--seed", "4", "--openings", "2", "--json")
        alone = self.single(*match, db="one")
        self.assertEqual(self.mpi(3, *match, db="three"), alone)
        self.assertEqual(self.mpi(1, *match, db="single"), alone)

    def test_a_tournament_gives_the_same_bytes_and_resumes(self):
        tournament = ("tournament", "random", "forward", "mcts:sims=20", "--json", "--games")
        self.mpi(3, *tournament, "10", db="part")
        self.assertEqual(self.mpi(4, *tournament, "30", db="part"), self.single(*tournament, "30", db="whole"))


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        ROWBOT_MPI = sys.argv.pop(1)
    unittest.main(verbosity=0)
