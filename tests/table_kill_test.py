"""A robot's table that is killed at random instants: its games go on or are closed, none is lost.

    python3 tests/table_kill_test.py build/release/bin/rowbot [KILLS] [SEED]

The log is what the table remembers, the world file is the board that outlives the program.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def games_of(rowbot, log):
    """The games in the log, as `replay` reads them; it refuses a log that contradicts itself."""
    answer = subprocess.run([rowbot, "replay", log, "--json"], capture_output=True, text=True)
    if answer.returncode != 0:
        raise SystemExit(f"the log is damaged: {answer.stderr}")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def check_progress(before, after):
    """Nothing that was in the log before a kill may be missing or different afterwards."""
    for was, now in zip(before, after):
        if not now["moves"].startswith(was["moves"]):
            raise SystemExit(f"game {was['game']}: {was['moves']} became {now['moves']}")
        if was["reason"] != "ongoing" and was != now:
            raise SystemExit(f"game {was['game']} ended twice: {was} and {now}")
    if len(after) < len(before):
        raise SystemExit("games are missing from the log")


def main():
    rowbot = sys.argv[1]
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        log = str(pathlib.Path(folder) / "table.log")
        command = [
            rowbot,
            "table",
            "--log",
            log,
            "--world",
            log + ".world",
            "--visitor",
            "random",
            "--agent",
            "forward",
            "--json",
        ]
        before = []
        for kill in range(kills):
            table = subprocess.Popen(command + ["--games", "1000", "--seed", str(kill)], stdout=subprocess.DEVNULL)
            time.sleep(1 + 6 * rng.random())
            table.kill()
            table.wait()
            after = games_of(rowbot, log) if pathlib.Path(log).exists() else []
            check_progress(before, after)
            before = after
        open_game = before[-1] if before and before[-1]["reason"] == "ongoing" else None
        done = subprocess.run(command + ["--games", "1", "--seed", "99"], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise SystemExit(f"the table does not come back: {done.stderr}")
        last = json.loads(done.stdout.splitlines()[-1])
        if last["wrong_records"] != 0:
            raise SystemExit(f"a record is wrong: {last}")
        after = games_of(rowbot, log)
        check_progress(before, after)
        if open_game and after[len(before) - 1]["reason"] == "ongoing":
            raise SystemExit("the open game was neither finished nor closed")
        ended = sum(game["reason"] != "ongoing" for game in after)
        interrupted = sum(game["reason"] == "interrupted" for game in after)
        moves = sum(len(game["moves"]) for game in after)
        print(
            f"{kills} kills: {len(after)} games, {ended} ended once ({interrupted} interrupted), "
            f"{moves} moves, none lost"
        )


if __name__ == "__main__":
    main()
