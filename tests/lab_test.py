#!/usr/bin/env python3
"""Runs the laboratory's commands as users do: matches, tournaments, stored games, experiments.

usage: lab_test.py PATH_TO_ROWBOT
"""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROWBOT = ""


class Laboratory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = {**os.environ, "XDG_DATA_HOME": self.folder.name}

    def rowbot(self, *arguments):
        return subprocess.run([ROWBOT, *arguments], capture_output=True, text=True, timeout=300, env=self.environment)

    def ok(self, *arguments):
        ended = self.rowbot(*arguments)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def path(self, name):
        return str(Path(self.folder.name, name))

    def test_match_json_has_the_promised_fields_and_adds_up(self):
        match = json.loads(self.ok("match", "forward", "random", "--games", "60", "--json"))
        self.assertEqual(
            list(match),
            [
                "a",
                "b",
                "games",
                "a_wins",
                "b_wins",
                "draws",
                "a_score",
                "a_score_low",
                "a_score_high",
                "elo",
                "elo_error",
            ],
        )
        self.assertEqual(match["a_wins"] + match["b_wins"] + match["draws"], 60)
        self.assertLess(match["a_score_low"], match["a_score"])
        self.assertGreater(match["a_score_low"], 0.5)
        self.assertGreater(match["elo"], 0)

    def test_threads_do_not_change_a_byte(self):
        outputs = {
            self.ok(
                "match",
                "mcts:sims=100",
                "mcs:sims=300",
                "--games",
                "20",
                "--seed",
                "7",
                "--openings",
                "2",
                "--threads",
                threads,
                "--db",
                self.path(threads),
                "--json",
            )
            for threads in ("1", "2", "5")
        }
        self.assertEqual(len(outputs), 1)

    def test_a_longer_match_goes_on_and_fresh_begins_anew(self):
        command = ("match", "forward", "random", "--seed", "3", "--json", "--games")
        self.ok(*command, "40")
        longer = self.rowbot(*command, "90")
        self.assertEqual(longer.stdout, self.ok(*command, "90", "--db", self.path("other")))
        again = self.rowbot(*command, "90")
        self.assertEqual(again.stdout, longer.stdout)
        self.assertIn("--fresh", again.stderr)
        fresh = self.rowbot(*command, "90", "--fresh")
        self.assertEqual(fresh.stdout, longer.stdout)
        self.assertNotIn("--fresh", fresh.stderr)

    def test_interrupt_stops_cleanly_and_the_same_command_goes_on(self):
        command = ("match", "mcts:sims=300", "mcs:sims=2000", "--games", "400", "--json")
        running = subprocess.Popen(
            [ROWBOT, *command], stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE, env=self.environment
        )
        deadline = time.monotonic() + 30
        stored = 0
        while stored < 5 and time.monotonic() < deadline:
            listed = self.rowbot("games", "list", "--json")
            if listed.returncode == 0 and json.loads(listed.stdout):
                stored = json.loads(listed.stdout)[0]["games"]
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        if running.returncode == 0:
            self.skipTest("the match was over before it could be interrupted")
        self.assertEqual(running.returncode, 130, err)
        self.assertEqual(out, "")
        self.assertIn("the same command goes on", err)
        self.assertEqual(self.ok(*command), self.ok(*command, "--db", self.path("whole")))

    def test_sprt_ends_early_with_a_verdict(self):
        match = json.loads(self.ok("match", "forward", "random", "--games", "2000", "--sprt", "0,50", "--json"))
        self.assertEqual(match["sprt"]["accepted"], "H1")
        self.assertLess(match["games"], 400)
        self.assertEqual(2 * sum(match["sprt"]["pairs"]), match["games"])

    def test_moves_are_judged_by_the_solver(self):
        match = json.loads(
            self.ok("match", "perfect", "random", "--games", "2", "--openings", "12", "--judge", "2", "--json")
        )
        self.assertEqual(match["a_quality"]["value_kept"], 1.0)
        self.assertEqual(match["a_quality"]["mean_score_lost"], 0.0)
        self.assertEqual(match["b_quality"]["games"], 2)

    def test_tournament_ranks_all_agents_together(self):
        table = json.loads(self.ok("tournament", "random", "forward", "mcts:sims=200", "--games", "20", "--json"))
        elo = {agent["agent"]: agent["elo"] for agent in table["agents"]}
        self.assertLess(elo["random"], elo["forward"])
        self.assertLess(elo["forward"], elo["mcts:sims=200"])
        self.assertEqual(len(table["matches"]), 3)
        # The tournament's games are those of the match between the two.
        match = self.rowbot("match", "random", "forward", "--games", "20", "--json")
        self.assertEqual(json.loads(match.stdout), table["matches"][0])
        self.assertIn("already", match.stderr)

    def test_stored_games_are_listed_shown_and_exported(self):
        self.ok("match", "forward", "random:seed=5", "--games", "6", "--openings", "2")
        (match,) = json.loads(self.ok("games", "list", "--json"))
        self.assertEqual((match["a"], match["games"], match["openings"]), ("forward", 6, 2))
        lines = [json.loads(line) for line in self.ok("games", "export").splitlines()]
        self.assertEqual([line["number"] for line in lines], list(range(6)))
        self.assertEqual(lines[1]["second"]["name"], "forward")
        self.assertEqual(lines[0]["moves"][:2], lines[1]["moves"][:2])
        table = list(csv.DictReader(io.StringIO(self.ok("games", "export", "--format", "csv"))))
        self.assertEqual([row["moves"] for row in table], [line["moves"] for line in lines])
        pgn = self.ok("games", "export", "--format", "pgn")
        self.assertEqual(pgn.count('[Event "Rowbot match"]'), 6)
        self.assertIn('[Round "1.3"]', pgn)
        by_id = self.ok("games", "show", str(lines[3]["id"]))
        self.assertEqual(by_id, self.ok("games", "show", str(match["id"]), "3"))
        shown = self.ok("games", "show", str(match["id"]), "3")
        self.assertIn(lines[3]["moves"], shown)
        missing = self.rowbot("games", "show", str(match["id"]), "6")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("no game 6", missing.stderr)

    def test_wrong_usage_says_what_would_be_right(self):
        for arguments, advice in (
            (("match", "randm", "random"), "did you mean 'random'?"),
            (("match", "random", "random", "--sprt", "5,0"), "smaller number first"),
            (("tournament", "random"), "two agents"),
            (("experiment", "run", "carlo"), "experiment list"),
        ):
            ended = self.rowbot(*arguments)
            self.assertEqual((ended.returncode, ended.stdout), (2, ""), arguments)
            self.assertIn(advice, ended.stderr)

    def test_experiments_run_and_report(self):
        names = [one["name"] for one in json.loads(self.ok("experiment", "list", "--json"))]
        for name in (
            "carlo-7.1",
            "carlo-7.2",
            "boehm-5.2",
            "dublin-4",
            "dublin-5",
            "rhodes",
            "all-agents",
            "first-move",
            "never-lose",
        ):
            self.assertIn(name, names)
        nothing = self.rowbot("experiment", "report", "all", "--out", self.path("out"))
        self.assertEqual(nothing.returncode, 1)
        self.ok("experiment", "run", "boehm-5.2", "--scale", "0.001")
        self.ok("experiment", "report", "all", "--out", self.path("out"))
        html = Path(self.path("out"), "index.html").read_text()
        self.assertIn("99.98", html)
        self.assertIn("<svg", html)
        self.assertNotIn("<script", html)
        (report,) = json.loads(Path(self.path("out"), "report.json").read_text())
        self.assertEqual(report["name"], "boehm-5.2")
        self.assertIn("boehm-5.2", Path(self.path("out"), "report.md").read_text())
        resumed = self.rowbot("experiment", "run", "boehm-5.2", "--scale", "0.001", "--resume")
        self.assertEqual(resumed.returncode, 0)
        self.ok("experiment", "report", "boehm-5.2", "--out", self.path("again"))
        self.assertEqual(Path(self.path("again"), "index.html").read_text(), html)


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main(verbosity=0)
