"""Visitors who play while everything else happens, and the record of what they were told.

Used by mixed_commands_test.py.
"""

import http.client
import json
import random
import threading
import time

from serving import Visitor

LEVELS = ("easy", "beginner-1", "beginner-3", "moderate")
PLAYERS = 6


class Acknowledged:
    """Everything the programs said is done. Any thread may add to it."""

    def __init__(self):
        self.mutex = threading.Lock()  # guards all below
        self.games = {}  # token -> what one visitor was told
        self.matches = {}  # (a, b, seed) -> games
        self.games_exported = {}  # (match, number) -> line
        self.episodes = {}  # experience file -> episodes

    def snapshot(self):
        with self.mutex:
            return {token: dict(mine) for token, mine in self.games.items()}

    def match(self, a, b, seed, games):
        with self.mutex:
            key = (a, b, seed)
            self.matches[key] = max(games, self.matches.get(key, 0))

    def exported(self, lines):
        with self.mutex:
            for line in lines.splitlines():
                game = json.loads(line)
                self.games_exported.setdefault((game["match"], game["number"]), line)

    def trained(self, file, episodes):
        with self.mutex:
            self.episodes[file] = max(episodes, self.episodes.get(file, 0))

    def moves(self):
        return sum(len(mine["moves"]) for mine in self.games.values())

    def results(self):
        """At least and at most: a game whose last move was not answered may have ended."""
        ended = sum(mine["result"] is not None for mine in self.games.values())
        return ended, ended + sum(mine["result"] is None for mine in self.games.values())

    def surveys(self):
        answered = sum(mine["survey"] for mine in self.games.values())
        return answered, sum(mine["survey_sent"] for mine in self.games.values())

    def __str__(self):
        return (
            f"{len(self.games)} games, {self.moves()} moves, {self.results()[0]} results, "
            f"{self.surveys()[0]} surveys, {sum(self.matches.values())} match games, "
            f"{sum(self.episodes.values())} episodes"
        )


def problem_of(visitor, token, mine, exact=True):
    """What is wrong with an acknowledged game, in words, or None. Not exact: it may have gone on."""
    status, game = visitor.get(f"/api/v1/games/{token}")
    if status != 200:
        return f"is gone ({status})"
    # Beyond the acknowledged moves only the one under way may be there, and its answer.
    known = game["moves"].startswith(mine["moves"])
    grown = game["moves"].startswith(mine["tried"]) and len(game["moves"]) <= len(mine["tried"]) + 1
    if exact and game["moves"] != mine["moves"] and not grown or not known:
        return f"has {game['moves']} instead of {mine['moves']}, tried {mine['tried']}"
    if mine["result"] is not None and game["result"] != mine["result"]:
        return f"ended {game['result']} instead of {mine['result']}"
    return None


class Players:
    """Several visitors, each in a thread, who go on when the server comes back."""

    def __init__(self, port, seed, acknowledged):
        self.over = threading.Event()
        self.problems = []
        self.port, self.acknowledged = port, acknowledged
        self.threads = [
            threading.Thread(target=self.play_until_over, args=(random.Random(f"{seed} {i}"),)) for i in range(PLAYERS)
        ]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def play_until_over(self, chance):
        token = None
        while not self.over.is_set():
            visitor = Visitor(self.port())
            try:
                while not self.over.is_set():
                    # Half of the visitors whose server went away come back to their game.
                    if token is None or self.acknowledged.games[token]["result"] or chance.random() < 0.5:
                        token = self.new_game(visitor, chance)
                    if token:
                        self.play(visitor, token, chance)
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)  # the server was ended: that is the test
            finally:
                visitor.close()

    def answer(self, visitor, wanted, path, body):
        """The answer, or None when the server is busy or wrong."""
        status, answer = visitor.post(path, body)
        if status == wanted:
            return answer
        if status in (429, 503):
            time.sleep(0.2)
        else:
            self.problems.append(f"{path} answers {status}: {answer}")
            time.sleep(0.2)
        return None

    def new_game(self, visitor, chance):
        game = self.answer(visitor, 201, "/api/v1/games", {"level": chance.choice(LEVELS), "human": "first"})
        if game is None:
            return None
        with self.acknowledged.mutex:
            self.acknowledged.games[game["game"]] = {
                "moves": "",
                "tried": "",
                "result": None,
                "survey": False,
                "survey_sent": False,
            }
        return game["game"]

    def play(self, visitor, token, chance):
        path = f"/api/v1/games/{token}"
        status, game = visitor.get(path)
        mine = self.acknowledged.games[token]
        if status != 200 or not game["moves"].startswith(mine["moves"]):
            self.problems.append(f"game {token} has {status} {game} instead of {mine}")
            mine["result"] = mine["result"] or "unknown"
            return
        while not self.over.is_set():
            for _ in range(300):
                if not game["thinking"]:
                    break
                time.sleep(0.1)
                game = visitor.get(path)[1]
            with self.acknowledged.mutex:
                mine["moves"], mine["result"] = game["moves"], game["result"]
            if game["result"] is not None:
                break
            column = chance.choice([c for c in "1234567" if game["moves"].count(c) < 6])
            with self.acknowledged.mutex:
                mine["tried"] = game["moves"] + column
            game = self.answer(visitor, 200, path + "/moves", {"column": int(column), "ply": len(game["moves"])})
            if game is None:
                return
        if game["result"] is not None and chance.random() < 0.5:
            mine["survey_sent"] = True
            body = {"game": token, "feel": "normal", "age": "25-39"}
            mine["survey"] = self.answer(visitor, 201, "/api/v1/survey", body) is not None
