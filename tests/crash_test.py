#!/usr/bin/env python3
"""Kills the server in the middle of its work, again and again, and looks for what it had promised.

Visitors play against the server without a pause. At a random moment it is killed (SIGKILL), started
again on the same database, and every move, result and survey that it had acknowledged must be there,
once.

usage: crash_test.py PATH_TO_ROWBOT [--kills N]
"""

import argparse
import http.client
import random
import tempfile
import threading
import time
from pathlib import Path

from serving import Serving, Visitor

VISITORS = 8
LEVELS = ("easy", "beginner-1", "beginner-3", "moderate")


class Player(threading.Thread):
    """Plays random games and remembers what was acknowledged, until the server is gone."""

    def __init__(self, port, number, promised):
        super().__init__()
        self.port, self.number, self.promised = port, number, promised
        self.random = random.Random(number)

    def run(self):
        visitor = Visitor(self.port)
        try:
            while True:
                self.play(visitor)
        except (OSError, http.client.HTTPException):
            pass  # the server was killed: that is the test
        finally:
            visitor.close()

    def play(self, visitor):
        status, game = visitor.post("/api/v1/games", {"level": self.random.choice(LEVELS)})
        assert status == 201, game
        path = f"/api/v1/games/{game['game']}"
        mine = self.promised[game["game"]] = {"moves": "", "tried": "", "result": None, "survey": False}
        while game["result"] is None:
            open_columns = [c for c in "1234567" if game["moves"].count(c) < 6]
            column = self.random.choice(open_columns)
            mine["tried"] = game["moves"] + column
            status, game = visitor.post(path + "/moves", {"column": int(column), "ply": len(game["moves"])})
            assert status == 200, game
            mine["moves"], mine["result"] = game["moves"], game["result"]
        status, answer = visitor.post("/api/v1/survey", {"game": game["game"], "feel": "normal", "age": "25-39"})
        assert status == 201, answer
        mine["survey"] = True


def check(visitor, token, mine):
    """What is wrong with the game, in words, or None."""
    status, game = visitor.get(f"/api/v1/games/{token}")
    if status != 200:
        return f"is gone ({status})"
    # Beyond the promised moves only the one under way may be there, and its answer.
    grown = game["moves"].startswith(mine["tried"]) and len(game["moves"]) <= len(mine["tried"]) + 1
    if game["moves"] != mine["moves"] and not grown:
        return f"has {game['moves']} instead of {mine['moves']}, tried {mine['tried']}"
    if mine["result"] is not None and game["result"] != mine["result"]:
        return f"ended {game['result']} instead of {mine['result']}"
    return None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("rowbot")
    arguments.add_argument("--kills", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    moments = random.Random(options.seed)
    promised, wrong, results = {}, [], 0
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db"
        for kill in range(options.kills):
            with Serving(options.rowbot, database) as server:
                visitor = Visitor(server.port)
                recent = list(promised)[-100:]
                for token in recent:
                    if problem := check(visitor, token, promised[token]):
                        wrong.append(f"after kill {kill}: game {token} {problem}")
                visitor.close()
                players = [Player(server.port, 1000 * kill + i, promised) for i in range(VISITORS)]
                for player in players:
                    player.start()
                time.sleep(moments.uniform(0.3, 1.5))
                server.kill()
                for player in players:
                    player.join()
        with Serving(options.rowbot, database) as server:
            visitor = Visitor(server.port)
            for token, mine in promised.items():
                if problem := check(visitor, token, mine):
                    wrong.append(f"in the end: game {token} {problem}")
            statistics = visitor.get("/api/v1/statistics")[1]
            # A result or survey that was stored but not yet told may be one more for each player.
            under_way = VISITORS * options.kills
            results = sum(mine["result"] is not None for mine in promised.values())
            surveys = sum(mine["survey"] for mine in promised.values())
            counted = sum(level["games"] for level in statistics["levels"])
            answers = statistics["survey"]["answers"]
            if not results <= counted <= results + under_way:
                wrong.append(f"{counted} results are counted, {results} were promised")
            if not surveys <= answers <= surveys + under_way:
                wrong.append(f"{answers} surveys are counted, {surveys} were promised")
            visitor.close()
    moves = sum(len(mine["moves"]) for mine in promised.values())
    print(
        f"{options.kills} kills, {len(promised)} games, {moves} moves, {results} results acknowledged; "
        f"{len(wrong)} wrong"
    )
    for line in wrong[:20]:
        print(line)
    if wrong or not moves:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
