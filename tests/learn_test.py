#!/usr/bin/env python3
"""Trains, stops, kills and resumes Q-learning as its users do.

usage: learn_test.py PATH_TO_ROWBOT [--kills N]
With --kills only the killing is done, that many times: kill -9 at random moments, reopen, check,
go on; in the end the experience must be the one of a training that was never disturbed.
"""

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROWBOT = ""
KILLS = 3


def rowbot(*arguments):
    return subprocess.run([ROWBOT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def train_arguments(path, episodes, *more):
    return [
        "train",
        "q",
        "--opponent",
        "random",
        "--episodes",
        episodes,
        "--alpha",
        "0.1",
        "--gamma",
        "1",
        "--epsilon",
        "0.05",
        "--experience",
        path,
        "--seed",
        "1",
        "--json",
        "--quiet",
        *more,
    ]


def train(path, episodes, *more):
    ended = rowbot(*train_arguments(path, episodes, *more))
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def exported(path):
    ended = rowbot("experience", "export", "--experience", path)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def stats(path):
    ended = rowbot("experience", "stats", "--experience", path, "--json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def episodes_in(path):
    """As another program sees it; 0 while the file is not there or not yet made."""
    if not path.exists():
        return 0
    database = sqlite3.connect(path, timeout=30)
    try:
        return database.execute("SELECT coalesce(sum(length(outcomes)), 0) FROM results").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        database.close()


def kill_and_resume(folder, kills, episodes):
    """Kills a training at random moments. Returns how many kills hit a run that had saved something
    new, and checks after each that the file is whole."""
    path = folder / "killed.db"
    moments = random.Random(1)
    saved = 0
    useful = 0
    for kill in range(kills):
        # Enough work that a kill always comes first; batches every few milliseconds.
        process = subprocess.Popen(
            [ROWBOT, *map(str, train_arguments(path, 10**9, "--checkpoint", "10ms"))],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if kill % 4 != 3:  # else it may be killed while it opens the file
            limit = time.monotonic() + 30
            while episodes_in(path) == saved and time.monotonic() < limit:
                time.sleep(0.005)
        time.sleep(moments.uniform(0.0, 0.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        # Who opens the file first plays back the log that the kill has left.
        if kill % 2 == 0:
            now = stats(path)["episodes"] if path.exists() else 0
        if path.exists() and path.stat().st_size > 0:
            database = sqlite3.connect(path)
            verdict = database.execute("PRAGMA integrity_check").fetchall()
            database.close()
            assert verdict == [("ok",)], verdict
        if kill % 2 == 1:
            now = episodes_in(path)
        assert now >= saved, f"kill {kill}: {now} episodes, before {saved}"
        useful += now > saved
        saved = now
    target = max(saved, episodes)
    answer = train(path, target)
    assert answer["episodes"] == target, answer
    whole = folder / "whole.db"
    train(whole, target)
    assert exported(path) == exported(whole), "a killed training learned something else"
    return useful, target


class Training(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "q.db"

    def tearDown(self):
        self.folder.cleanup()

    def test_reports_what_programs_count_on(self):
        answer = train(self.path, 20000)
        for field in ("episodes", "win_rate_last", "states", "episodes_per_second"):
            self.assertIn(field, answer)
        self.assertEqual(answer["episodes"], 20000)
        self.assertGreater(answer["win_rate_last"], 0.6)
        kept = stats(self.path)
        self.assertEqual(kept["episodes"], 20000)
        self.assertEqual(kept["states"], answer["states"])
        self.assertIn("opponent=random", kept["training"])
        self.assertEqual(len(kept["win_rate_curve"]), 10)

    def test_shows_every_action_of_a_position(self):
        train(self.path, 3000)
        shown = json.loads(rowbot("experience", "show", "", "--experience", self.path, "--json").stdout)
        self.assertEqual(shown["state"], "0000000")
        self.assertEqual([a["column"] for a in shown["actions"]], [1, 2, 3, 4, 5, 6, 7])
        self.assertEqual([a["visits"] for a in shown["actions"]], [0, 0, 0, 3000, 0, 0, 0])
        with_full = json.loads(rowbot("experience", "show", "444444", "--experience", self.path, "--json").stdout)
        self.assertFalse(with_full["actions"][3]["legal"])
        in_words = rowbot("experience", "show", "444444", "--experience", self.path).stdout
        self.assertIn("state  000121212000", in_words)
        self.assertIn("cannot be played", in_words)

    def test_stops_on_a_signal_and_goes_on_with_the_same_command(self):
        process = subprocess.Popen(
            [ROWBOT, *map(str, train_arguments(self.path, 10**9))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        stopped = json.loads(out.splitlines()[-1])
        self.assertTrue(stopped["stopped"])
        self.assertGreater(stopped["episodes"], 0)
        answer = train(self.path, stopped["episodes"] + 100)
        self.assertEqual(answer["played"], 100)
        again = rowbot(*train_arguments(self.path, 50))
        self.assertEqual(again.returncode, 0)
        self.assertIn("ask for more to go on", again.stderr)

    def test_several_learners_have_a_file_each_and_merge_into_one(self):
        both = train(self.path, 2000, "--learners", "2")
        self.assertEqual(both["learners"], 2)
        second = self.path.with_name("q.2.db")
        self.assertNotEqual(exported(self.path), exported(second))
        merged = self.path.with_name("merged.db")
        answer = json.loads(rowbot("experience", "merge", self.path, second, "--out", merged, "--json").stdout)
        self.assertEqual(answer["episodes"], 4000)
        self.assertLess(answer["states"], both["states"])
        self.assertGreater(answer["states"], both["states"] / 2)
        self.assertEqual(rowbot("experience", "merge", self.path, "--out", merged).returncode, 2)

    def test_agents_play_with_the_experience(self):
        train(self.path, 3000)
        for agent in (f"q:experience={self.path}", f"q-mcts:experience={self.path},sims=50"):
            ended = rowbot("play", "--first", agent, "--second", "random", "--seed", "3", "--json")
            self.assertEqual(ended.returncode, 0, ended.stderr)
        learning = rowbot("play", "--first", f"q:experience={self.path},learn=on", "--second", "random", "--json")
        self.assertEqual(learning.returncode, 0, learning.stderr)
        self.assertEqual(stats(self.path)["episodes"], 3001)

    def test_wrong_usage_is_exit_code_2_with_advice(self):
        for arguments, advice in (
            (("train", "q", "--alpha", "10"), "dynamic alpha"),
            (("train", "q", "--opponent", "randm"), "did you mean 'random'?"),
            (("train", "q", "--checkpoint", "soon"), "soon"),
            (("play", "--first", "q:experience=/no/such/file"), "rowbot train q"),
        ):
            ended = rowbot(*arguments)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertIn(advice, ended.stderr, arguments)

    def test_kill_9_loses_at_most_the_last_batch_and_corrupts_nothing(self):
        kill_and_resume(Path(self.folder.name), KILLS, 3000)


def main():
    global ROWBOT
    parser = argparse.ArgumentParser()
    parser.add_argument("rowbot")
    parser.add_argument("--kills", type=int)
    arguments = parser.parse_args()
    ROWBOT = arguments.rowbot
    if arguments.kills is None:
        unittest.main(argv=[sys.argv[0]])
    with tempfile.TemporaryDirectory() as folder:
        useful, episodes = kill_and_resume(Path(folder), arguments.kills, 3000)
        print(
            f"{arguments.kills} kills, {useful} of them after something new was saved; "
            f"{episodes} episodes, the same as without a kill; nothing corrupt"
        )


if __name__ == "__main__":
    main()
