#!/usr/bin/env python3
"""All commands together on one database, in random order, overlapping, with random kills.

In each round visitors play against `serve` while `experiment run`, `match`, `tournament`, `train q`,
`games list`, `games export`, `table`, a backup and a second `serve` come and go. Some of them, and the
server itself, are killed (SIGKILL) or stopped (SIGTERM) at random moments. After each round:

- every acknowledged move, result, survey, match, export, training and table game is there;
- `PRAGMA integrity_check` is ok for the database, each backup and each experience;
- no command failed, except those that must not share, which say so and exit 1.

usage: mixed_commands_test.py PATH_TO_ROWBOT [ROUNDS] [--seed N] [--keep FOLDER]
"""

import argparse
import collections
import contextlib
import http.client
import json
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from mixed_players import Acknowledged, Players, problem_of
from serving import Serving, Visitor

ROUND_SECONDS = 3.0
TABLE_SECONDS = 6.0  # a twin needs a second or more until it plays
REFUSALS = {  # what a command may say when it exits 1: it must not share, and names the reason
    "serve": "another server",
    "table": "another program writes",
    "train": "another program",
}


class Round:
    """One round: the commands that run, what they had acknowledged, and what was wrong."""

    def __init__(self, test, number):
        self.test, self.number = test, number
        self.chance = random.Random(f"{test.seed} {number}")
        self.server = None
        self.server_mutex = threading.Lock()  # guards server: nobody kills it while a second one is tried

    def wrong(self, text):
        self.test.wrong(f"round {self.number}: {text}")

    def run(self):
        serving = contextlib.ExitStack()
        with serving:
            self.restart_server(serving)
            players = Players(lambda: self.server.port, self.chance.getrandbits(32), self.test.acknowledged)
            jobs = [
                self.supervise_server,
                self.try_second_server,
                self.look_at_laboratory,
                self.export,
                self.back_up,
                self.match,
                self.match,
                self.tournament,
                self.experiment,
                self.train_alone,
                self.train_shared,
                self.train_shared,
                self.table,
                self.table,
            ]
            self.chance.shuffle(jobs)
            threads = []
            for job in jobs:
                chance = random.Random(self.chance.getrandbits(64))
                arguments = (job, chance, serving) if job == self.supervise_server else (job, chance)
                threads.append(threading.Thread(target=self.guarded, args=arguments))
            players.start()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            players.stop()
            for problem in players.problems:
                self.wrong(problem)
            self.check_open_files()
            self.end_server(self.chance)

    def guarded(self, job, *arguments):
        """A thread's failure is the round's."""
        try:
            job(*arguments)
        except Exception as failure:  # whatever it is, it belongs into the report
            self.wrong(f"{job.__name__}: {type(failure).__name__}: {failure}")

    # ------------------------------------------------------------------------------ the server

    def restart_server(self, serving):
        self.server = serving.enter_context(Serving(self.test.rowbot, self.test.database, 0, "--robot", "none"))

    def end_server(self, chance):
        if chance.random() < 0.6:
            self.server.kill()
            return
        self.server.process.terminate()
        if self.server.process.wait(timeout=60) != 0:
            self.wrong(f"serve, asked to stop, exits {self.server.process.returncode}")

    def supervise_server(self, chance, serving):
        """Ends the server now and then and starts it again at once."""
        for _ in range(chance.randrange(3)):
            time.sleep(chance.uniform(0.2, ROUND_SECONDS / 2))
            with self.server_mutex:
                self.check_open_files()
                self.end_server(chance)
                self.restart_server(serving)
                self.test.kills += 1

    def check_open_files(self):
        """A server that writes to a deleted file has lost what it writes."""
        for link in Path(f"/proc/{self.server.process.pid}/fd").glob("*"):
            with contextlib.suppress(OSError):
                target = str(link.readlink())
                if target.startswith(str(self.test.database)) and target.endswith("(deleted)"):
                    self.wrong(f"the server writes to a file that is not there: {target}")

    def try_second_server(self, chance):
        time.sleep(chance.uniform(0, ROUND_SECONDS))
        with self.server_mutex:
            command = [self.test.rowbot, "serve", "--port", "0", "--db", str(self.test.database), "--robot", "none"]
            second = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            line = second.stdout.readline()  # an address, or the end
            if line:
                self.wrong("a second server starts on the same database")
                second.kill()
            errors = second.communicate(timeout=60)[1]
            if not line and (second.returncode != 1 or REFUSALS["serve"] not in errors):
                self.wrong(f"a second server exits {second.returncode} and says {errors!r}")
            self.test.refused["serve"] += not line

    def look_at_laboratory(self, chance):
        for _ in range(3):
            time.sleep(chance.uniform(0, ROUND_SECONDS / 3))
            with contextlib.suppress(OSError, http.client.HTTPException):  # the server may be ended just now
                visitor = Visitor(self.server.port)
                status, answer = visitor.get("/api/v1/lab/experiments")
                visitor.close()
                if status not in (200, 429, 503):
                    self.wrong(f"/lab answers {status}: {answer}")

    # ---------------------------------------------------------------------------- the commands

    def command(self, chance, *words, kill=0.4):
        """Runs it from a random moment on; its output if it ended by itself and well, else None."""
        time.sleep(chance.uniform(0, ROUND_SECONDS * 0.8))
        process = subprocess.Popen(
            [self.test.rowbot, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.test.commands += 1
        ended_by_us = False
        timer = None
        if chance.random() < kill:
            how = chance.choice((signal.SIGKILL, signal.SIGTERM))

            def end():
                nonlocal ended_by_us
                ended_by_us = True
                process.send_signal(how)

            timer = threading.Timer(chance.uniform(0.05, ROUND_SECONDS / 2), end)
            timer.start()
        output, errors = process.communicate(timeout=300)
        if timer:
            timer.cancel()
            timer.join()
        if process.returncode == 0 and not ended_by_us:
            return output
        if ended_by_us:
            self.test.kills += 1
            return None
        refusal = REFUSALS.get(words[0])
        if process.returncode == 1 and refusal and refusal in errors:
            self.test.refused[words[0]] += 1
        else:
            self.wrong(f"{' '.join(map(str, words))} exits {process.returncode}: {errors.strip()[-300:]}")
        return None

    def match(self, chance):
        a, b = chance.choice((("random", "forward"), ("forward", "mcts:sims=20"), ("random", "random")))
        seed, games = chance.randrange(1, 4), chance.choice((100, 300, 600))
        output = self.command(
            chance,
            "match",
            a,
            b,
            "--games",
            games,
            "--seed",
            seed,
            "--threads",
            1,
            "--json",
            "--db",
            self.test.database,
        )
        if output:
            self.test.acknowledged.match(a, b, seed, json.loads(output)["games"])

    def tournament(self, chance):
        self.command(
            chance,
            "tournament",
            "random",
            "forward",
            "mcs:sims=7",
            "--games",
            chance.choice((20, 60)),
            "--seed",
            chance.randrange(1, 4),
            "--threads",
            1,
            "--json",
            "--db",
            self.test.database,
        )

    def experiment(self, chance):
        more = ["--resume"] if chance.random() < 0.5 else []
        self.command(
            chance, "experiment", "run", "sprt", "--scale", 0.0001, "--threads", 1, "--db", self.test.database, *more
        )

    def export(self, chance):
        for words in (("games", "list", "--json"), ("games", "export", "--kind", "match")):
            output = self.command(chance, *words, "--db", self.test.database, kill=0.2)
            if output and words[1] == "export":
                self.test.acknowledged.exported(output)

    def back_up(self, chance):
        """As `sqlite3 FILE ".backup COPY"`: holds what was acknowledged before it began."""
        time.sleep(chance.uniform(0, ROUND_SECONDS))
        before = self.test.acknowledged.snapshot()
        copy = self.test.folder / "copy.db"
        for stale in self.test.folder.glob("copy.db*"):
            stale.unlink()
        with contextlib.closing(sqlite3.connect(self.test.database, timeout=60)) as source, contextlib.closing(
            sqlite3.connect(copy)
        ) as target:
            source.backup(target)
        self.test.check_integrity(copy, self.wrong)
        with Serving(self.test.rowbot, copy, 0, "--robot", "none") as server:
            self.test.check_games(server.port, before, "the backup", self.wrong, exact=False)

    def train(self, chance, file, more):
        episodes = self.test.acknowledged.episodes.get(file, 0) + chance.choice(more)
        output = self.command(
            chance,
            "train",
            "q",
            "--episodes",
            episodes,
            "--experience",
            file,
            "--seed",
            chance.randrange(1000),
            "--checkpoint",
            "100ms",
            "--quiet",
            "--json",
        )
        if output:
            self.test.acknowledged.trained(file, json.loads(output)["episodes"])

    def train_alone(self, chance):
        self.train(chance, self.test.folder / "alone.q", (2_000, 20_000))

    def train_shared(self, chance):
        self.train(chance, self.test.folder / "shared.q", (50_000, 100_000))  # long enough to overlap

    def table(self, chance):
        log = self.test.folder / "table.log"
        time.sleep(chance.uniform(0, 1))
        process = subprocess.Popen(
            [
                self.test.rowbot,
                "table",
                "--log",
                log,
                "--world",
                f"{log}.world",
                "--visitor",
                "random",
                "--agent",
                "forward",
                "--games",
                "1000",
                "--seed",
                str(chance.randrange(1000)),
                "--json",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.test.commands += 1
        try:
            errors = process.communicate(timeout=chance.uniform(0.5, TABLE_SECONDS))[1]
        except subprocess.TimeoutExpired:
            process.send_signal(chance.choice((signal.SIGKILL, signal.SIGTERM)))
            self.test.kills += 1
            with process:
                process.communicate(timeout=60)
            return
        if process.returncode == 1 and REFUSALS["table"] in errors:
            self.test.refused["table"] += 1
        else:
            self.wrong(f"table exits {process.returncode}: {errors.strip()[-300:]}")


class MixedCommands:
    """What lasts from round to round: the files, and everything that was acknowledged."""

    def __init__(self, rowbot, folder, seed):
        self.rowbot, self.folder, self.seed = rowbot, Path(folder), seed
        self.database = self.folder / "rowbot.db"
        self.acknowledged = Acknowledged()
        self.commands = self.kills = 0
        self.refused = collections.Counter()
        self.problems = []
        self.table_games = []

    def wrong(self, text):
        print(f"WRONG {text}", flush=True)
        self.problems.append(text)

    def check_integrity(self, file, wrong):
        with contextlib.closing(sqlite3.connect(file, timeout=60)) as connection:
            try:
                found = connection.execute("PRAGMA integrity_check").fetchall()
            except sqlite3.Error as error:
                found = str(error)
        if found != [("ok",)]:
            wrong(f"{Path(file).name}: integrity_check says {found}")

    def check_games(self, port, games, where, wrong, exact=True):
        """The acknowledged games as a server on this port has them."""
        visitor = Visitor(port)
        with contextlib.closing(visitor.connection):
            for token, mine in games.items():
                if problem := problem_of(visitor, token, mine, exact):
                    wrong(f"{where}: game {token} {problem}")

    def check_all(self, wrong, every_game):
        games = self.acknowledged.snapshot()
        if not every_game:
            games = dict(list(games.items())[-200:])
        try:
            with Serving(self.rowbot, self.database, 0, "--robot", "none") as server:
                self.check_games(server.port, games, "a fresh server", wrong)
                self.check_counts(server.port, wrong)
        except AssertionError as error:
            wrong(f"the server does not start again: {error}")
        self.check_integrity(self.database, wrong)
        self.check_laboratory(wrong)
        self.check_experience(wrong)
        self.check_table(wrong)

    def check_counts(self, port, wrong):
        visitor = Visitor(port)
        with contextlib.closing(visitor.connection):
            statistics = visitor.get("/api/v1/statistics")[1]
        counted = sum(level["games"] for level in statistics["levels"])
        least, most = self.acknowledged.results()
        if not least <= counted <= most:
            wrong(f"{counted} results are counted, {least} to {most} were acknowledged or under way")
        least, most = self.acknowledged.surveys()
        if not least <= statistics["survey"]["answers"] <= most:
            wrong(f"{statistics['survey']['answers']} surveys are counted, {least} to {most} were sent")

    def output(self, wrong, *words):
        done = subprocess.run([self.rowbot, *map(str, words)], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            wrong(f"{' '.join(map(str, words))} exits {done.returncode}: {done.stderr.strip()[-300:]}")
            return None
        return done.stdout

    def check_laboratory(self, wrong):
        """What an export has shown once stays, and a match that was reported is whole."""
        exported = self.output(wrong, "games", "export", "--kind", "match", "--db", self.database)
        listed = self.output(wrong, "games", "list", "--kind", "match", "--json", "--db", self.database)
        if exported is None or listed is None:
            return
        matches = json.loads(listed)
        for (a, b, seed), games in self.acknowledged.matches.items():
            found = [m["games"] for m in matches if (m["a"], m["b"], m["seed"], m["experiment"]) == (a, b, seed, "")]
            if not found or max(found) < games:
                wrong(f"match {a} - {b}, seed {seed}: {found} games of {games}")
        now = {}
        for line in exported.splitlines():
            game = json.loads(line)
            now[game["match"], game["number"]] = line
        experiments = {m["id"] for m in matches if m["experiment"]}  # a new run forgets these
        known = {m["id"] for m in matches}
        lost = [
            key
            for key, line in self.acknowledged.games_exported.items()
            if key[0] in known - experiments and now.get(key) != line
        ]
        if lost:
            wrong(f"{len(lost)} games of matches are gone or different, the first {lost[0]}")
        self.acknowledged.games_exported = {key: line for key, line in now.items() if key[0] not in experiments}

    def check_experience(self, wrong):
        for file, episodes in self.acknowledged.episodes.items():
            if not file.exists():
                continue
            self.check_integrity(file, wrong)
            output = self.output(wrong, "experience", "stats", "--experience", file, "--json")
            if output is not None and json.loads(output)["episodes"] < episodes:
                wrong(f"{file.name}: {json.loads(output)['episodes']} episodes of {episodes}")

    def check_table(self, wrong):
        log = self.folder / "table.log"
        if not log.exists():
            return
        output = self.output(wrong, "replay", log, "--json")
        if output is None:
            return
        games = [json.loads(line) for line in output.splitlines()]
        for was, now in zip(self.table_games, games):
            if not now["moves"].startswith(was["moves"]) or (was["reason"] != "ongoing" and was != now):
                wrong(f"table.log: {was} became {now}")
        if len(games) < len(self.table_games):
            wrong(f"table.log: {len(games)} games of {len(self.table_games)}")
        self.table_games = games


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("rowbot")
    arguments.add_argument("rounds", type=int, nargs="?", default=3)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", help="a folder for the files, kept afterwards")
    options = arguments.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.keep or stack.enter_context(tempfile.TemporaryDirectory())
        Path(folder).mkdir(parents=True, exist_ok=True)
        test = MixedCommands(str(Path(options.rowbot).resolve()), folder, options.seed)
        began = time.monotonic()
        for number in range(options.rounds):
            this = Round(test, number)
            try:
                this.run()
                test.check_all(this.wrong, every_game=number + 1 == options.rounds)
            except (AssertionError, OSError, sqlite3.Error, subprocess.TimeoutExpired) as failure:
                this.wrong(f"{type(failure).__name__}: {failure}")
            if (number + 1) % 10 == 0:
                print(f"round {number + 1}: {test.acknowledged}, {len(test.problems)} wrong", flush=True)
        refused = ", ".join(f"{name} {times}" for name, times in sorted(test.refused.items()))
        print(
            f"{options.rounds} rounds, {test.commands} commands, {test.kills} kills; refused: {refused}; "
            f"acknowledged: {test.acknowledged}, {sum(len(game['moves']) for game in test.table_games)} moves at the "
            f"table; {time.monotonic() - began:.0f} s; {len(test.problems)} wrong"
        )
        if test.problems or not test.acknowledged.moves():
            raise SystemExit(1)


if __name__ == "__main__":
    main()
