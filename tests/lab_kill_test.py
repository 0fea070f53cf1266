#!/usr/bin/env python3
"""Kills a match with SIGKILL at random moments, resumes it, and wants the same report as from a run
that nobody disturbed, with every game there once.

usage: lab_kill_test.py PATH_TO_ROWBOT [KILLS]
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

ROWBOT = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
GAMES = 3000


def match(database, *more):
    return [
        ROWBOT,
        "match",
        "forward",
        "mcts:sims=40",
        "--games",
        str(GAMES),
        "--seed",
        "11",
        "--threads",
        "2",
        "--json",
        "--db",
        database,
        *more,
    ]


def main():
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        whole = subprocess.run(
            match(os.path.join(folder, "whole.db")), capture_output=True, text=True, check=True, timeout=600
        ).stdout
        took = time.monotonic() - began
        database = os.path.join(folder, "killed.db")
        killed = 0
        while killed < KILLS:
            running = subprocess.Popen(match(database), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            try:
                # Short lives, so that all kills fall into the match and not behind its end.
                running.wait(timeout=chance.uniform(0.0, 1.6 * took / KILLS))
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
                killed += 1
                continue
            os.unlink(database)  # it got to its end: begin again
        resumed = subprocess.run(match(database), capture_output=True, text=True, check=True, timeout=600).stdout
        assert resumed == whole, f"the report differs:\n{resumed}{whole}"
        lines = subprocess.run(
            [ROWBOT, "games", "export", "--db", database], capture_output=True, text=True, check=True, timeout=600
        ).stdout.splitlines()
        numbers = [json.loads(line)["number"] for line in lines]
        assert numbers == list(range(GAMES)), "games are missing or doubled"
        print(f"{killed} kills, {GAMES} games: the report is the same, every game is there once")


if __name__ == "__main__":
    main()
