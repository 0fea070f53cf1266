#!/usr/bin/env python3
"""Runs the real server as its users do, and holds its answers against docs/openapi.json.

usage: server_test.py PATH_TO_ROWBOT
"""

import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from serving import Serving, Visitor

ROWBOT = ""
DOCUMENT = json.loads((Path(__file__).resolve().parent.parent / "docs/openapi.json").read_text())


def closed(schema):
    """The schema with no room for keys that it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if "properties" in schema and schema.get("type") == "object" else {}
    return {key: closed(value) for key, value in schema.items()} | more


COMPONENTS = closed(DOCUMENT["components"])


def mismatch(value, schema):
    """Why the value does not fit a schema of the document, or None."""
    whole = closed(schema) | {"components": COMPONENTS}
    return best_match(Draft202012Validator(whole).iter_errors(value))


class Documented(Visitor):
    """A visitor who checks every answer against the document and remembers what was asked."""

    def __init__(self, test, port):
        super().__init__(port)
        self.test = test
        self.seen = set()

    def call(self, method, path, body=None, headers=None):
        status, answer, raw = super().call(method, path, body, headers)
        pattern = re.sub(r"[0-9a-f]{32}", "{token}", path.split("?")[0])
        operation = DOCUMENT["paths"][pattern][method.lower()]
        self.seen.add((method, pattern))
        responses = operation["responses"]
        described = responses.get(str(status)) or responses["default"]
        if str(status) not in responses:
            self.test.assertGreaterEqual(status, 400, (method, path, answer))
        content = described["content"]
        if "application/json" in content:
            self.test.assertIsNone(mismatch(answer, content["application/json"]["schema"]), (method, path, status))
        else:
            self.test.assertIn(raw.getheader("Content-Type"), content)
        return status, answer, raw


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.database = Path(self.folder.name) / "games.db"
        secret = Path(self.folder.name) / "secret"
        secret.write_text("an operator's secret\n")
        server = Serving(
            ROWBOT,
            self.database,
            0,
            "--operator-token-file",
            str(secret),
            "--table-speed",
            "20",
            "--access-log",
            str(Path(self.folder.name) / "access.log"),
        )
        self.server = server.__enter__()
        self.addCleanup(server.__exit__)

    def test_every_documented_operation_answers_as_documented(self):
        visitor = Documented(self, self.server.port)
        self.assertEqual(visitor.get("/healthz"), (200, {"status": "ok"}))
        visitor.get("/api/v1/levels")
        status, game = visitor.post("/api/v1/games", {"level": "easy", "human": "first"})
        self.assertEqual((status, game["moves"]), (201, ""))
        path = f"/api/v1/games/{game['game']}"
        status, game = visitor.post(path + "/moves", {"column": 4, "ply": 0})
        self.assertEqual((status, len(game["moves"])), (200, 2))
        self.assertIsNotNone(game["evidence"])
        visitor.get(path)
        visitor.get(path + "/hint")
        self.assertEqual(visitor.get(path + "/review")[0], 409)
        visitor.post(path + "/undo")
        self.assertEqual(visitor.post(path + "/resign")[1]["result"], "second")
        self.assertEqual(visitor.post(path + "/restart", {"level": "beginner-1"})[0], 201)
        status, game = visitor.post("/api/v1/games", {"human": "both"})
        path = f"/api/v1/games/{game['game']}"
        for column in (4, 4, 3, 3, 5, 5, 6):
            game = visitor.post(path + "/moves", {"column": column})[1]
        self.assertEqual((game["result"], game["reason"]), ("first", "four_in_a_row"))
        for _ in range(60):
            status, review = visitor.get(path + "/review")
            if status == 200:
                break
            time.sleep(0.5)
        self.assertEqual(len(review["moves"]), 7)
        self.assertEqual(visitor.get(path + "/live")[0], 426)
        status, analysis = visitor.get("/api/v1/analysis?moves=4453")
        self.assertEqual(len(analysis["scores"]), 7)
        visitor.get("/api/v1/analysis?position=0000000")
        self.try_the_laboratory(visitor)
        visitor.get("/api/v1/survey")
        visitor.get("/metrics")
        self.assertEqual(
            visitor.post("/api/v1/survey", {"game": game["game"], "feel": "normal", "age": "18-24"})[0], 201
        )
        self.assertEqual(visitor.get("/api/v1/statistics")[1]["survey"]["answers"], 1)
        operator = {"Authorization": "Bearer an operator's secret"}
        self.assertEqual(visitor.post("/api/v1/operator/announcement", {"text": "x"})[0], 401)
        self.assertEqual(visitor.call("POST", "/api/v1/operator/announcement", {"text": "Hello"}, operator)[0], 200)
        self.assertEqual(visitor.get("/api/v1/announcement")[1], {"text": "Hello"})
        self.sit_at_the_robots_table(visitor, operator)
        documented = {(method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods}
        self.assertEqual(documented - visitor.seen, set(), "documented but not tried")
        visitor.close()
        log = (Path(self.folder.name) / "access.log").read_text()
        self.assertIn("POST /api/v1/games/*/moves 200", log)
        self.assertIsNone(re.search("[0-9a-f]{32}", log), "the log holds no keys of games")

    def try_the_laboratory(self, visitor):
        ended = subprocess.run(
            [ROWBOT, "experiment", "run", "dublin-4", "--scale", "0.01", "--db", str(self.database)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        experiments = visitor.get("/api/v1/lab/experiments")[1]["experiments"]
        self.assertEqual([one["name"] for one in experiments if one["report"]], ["dublin-4"])
        agents = visitor.get("/api/v1/lab/agents")[1]["agents"]
        wish = {"a": agents[0]["text"], "b": "forward", "games": 20, "seed": 3}
        status, match = visitor.post("/api/v1/lab/matches", wish)
        self.assertEqual(status, 202)
        path = f"/api/v1/lab/matches/{match['match']}"
        for _ in range(600):
            match = visitor.get(path)[1]
            if match["state"] not in ("waiting", "playing"):
                break
            time.sleep(0.1)
        self.assertEqual((match["state"], match["result"]["games"]), ("finished", 20))
        ended = subprocess.run(
            [
                ROWBOT,
                "match",
                wish["a"],
                wish["b"],
                "--games",
                "20",
                "--seed",
                "3",
                "--json",
                "--db",
                str(self.database),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        self.assertEqual(match["result"], json.loads(ended.stdout), "the command line counts the same")
        self.assertEqual(visitor.call("DELETE", path)[0], 200)
        self.assertEqual(visitor.get("/api/v1/lab/matches/" + "0" * 32)[0], 404)
        self.assertEqual(visitor.post("/api/v1/lab/matches", {**wish, "a": "mcts:threads=8"})[0], 400)

    def sit_at_the_robots_table(self, visitor, operator):
        status, ticket = visitor.post("/api/v1/table/join")
        self.assertEqual((status, ticket["table"]["place"]), (201, 0))
        key = {"token": ticket["token"]}
        where = f"/api/v1/table?token={ticket['token']}"

        def table_until(wanted):
            for _ in range(600):
                table = visitor.get(where)[1]
                if wanted(table):
                    return table
                time.sleep(0.1)
            self.fail(f"the table stays as it is: {table}")

        table = table_until(lambda t: t["request"] == "play" and t["camera"] > 0)
        scene = visitor.get(f"/api/v1/table/scene?name={table['scene']}")[1]
        self.assertIn("tool", [body["name"] for body in scene["bodies"]])
        status, picture, _ = visitor.call("GET", "/api/v1/table/camera")
        self.assertEqual((status, picture[:2]), (200, b"\xff\xd8"))
        self.assertEqual(visitor.get("/api/v1/table/live")[0], 426)
        self.assertEqual(visitor.post("/api/v1/table/play", key | {"column": 4, "ply": 0})[0], 200)
        table_until(lambda t: t["moves"].startswith("4"))
        self.assertEqual(visitor.post("/api/v1/table/stop")[0], 401)
        self.assertEqual(visitor.call("POST", "/api/v1/table/stop", None, operator)[0], 200)
        table_until(lambda t: t["state"] == "stopped")
        self.assertEqual(visitor.call("POST", "/api/v1/table/resume", None, operator)[0], 200)
        table_until(lambda t: len(t["moves"]) == 2)
        self.assertIsNone(visitor.post("/api/v1/table/leave", key)[1]["place"])

    def test_a_table_without_an_arm_is_played_on_the_page(self):
        config = Path(self.folder.name) / "table.toml"
        config.write_text('version = 1\ndriver = "none"\nsenses = "keys"\nagent = "forward"\n')
        log = Path(self.folder.name) / "table.log"
        database = Path(self.folder.name) / "table.db"  # a database has one server at a time
        with Serving(ROWBOT, database, 0, "--table", str(config), "--table-log", str(log)) as server:
            visitor = Visitor(server.port)
            ticket = visitor.post("/api/v1/table/join")[1]
            for ply, column in ((0, 4), (2, 5)):
                for _ in range(100):
                    table = visitor.get(f"/api/v1/table?token={ticket['token']}")[1]
                    if table["request"] == "play" and len(table["moves"]) == ply:
                        break
                    time.sleep(0.1)
                played = {"token": ticket["token"], "column": column, "ply": ply}
                self.assertEqual(visitor.post("/api/v1/table/play", played)[0], 200)
            for _ in range(100):
                table = visitor.get("/api/v1/table")[1]
                if len(table["moves"]) == 4:
                    break
                time.sleep(0.1)
            self.assertEqual((table["moves"][0], table["moves"][2]), ("4", "5"))
            self.assertEqual(table["robot"], "eezybot")
            visitor.close()
        replayed = subprocess.run([ROWBOT, "replay", str(log), "--json"], capture_output=True, text=True)
        self.assertEqual(json.loads(replayed.stdout)["moves"], table["moves"])

    def test_the_check_itself_can_fail(self):
        self.assertIsNotNone(mismatch({"status": 3}, {"$ref": "#/components/schemas/Status"}))
        self.assertIsNotNone(mismatch({"status": "x", "more": 1}, {"$ref": "#/components/schemas/Status"}))
        self.assertIsNotNone(mismatch({}, {"$ref": "#/components/schemas/Status"}))

    def test_a_signal_ends_it_cleanly_and_the_game_goes_on_afterwards(self):
        visitor = Visitor(self.server.port)
        game = visitor.post("/api/v1/games", {"level": "moderate"})[1]
        path = f"/api/v1/games/{game['game']}"
        game = visitor.post(path + "/moves", {"column": 4})[1]
        self.server.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.process.wait(timeout=30), 0)
        visitor.close()
        with Serving(ROWBOT, self.database) as again:
            visitor = Visitor(again.port)
            self.assertEqual(visitor.get(path)[1]["moves"], game["moves"])
            self.assertEqual(len(visitor.post(path + "/moves", {"column": 4})[1]["moves"]), 4)
            visitor.close()

    def test_load_finds_nothing_lost_or_doubled(self):
        ended = subprocess.run(
            [
                ROWBOT,
                "load",
                "--url",
                f"http://127.0.0.1:{self.server.port}",
                "--players",
                "20",
                "--seconds",
                "4",
                "--least-pause",
                "0.05",
                "--most-pause",
                "0.2",
                "--slow",
                "5",
                "--levels",
                "easy,beginner-1,moderate",
                "--json",
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        report = json.loads(ended.stdout)
        self.assertGreater(report["moves"], 0)
        self.assertGreater(report["finished"], 0)
        for wrong in ("errors", "lost_moves", "doubled_moves", "lost_results", "doubled_results"):
            self.assertEqual(report[wrong], 0, report)
        self.assertEqual({level["level"] for level in report["levels"]}, {"easy", "beginner-1", "moderate"})


class ScarceResources(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.database = Path(self.folder.name) / "games.db"

    def test_a_full_disk_is_told_and_left_behind_when_there_is_room_again(self):
        # Bytes of one file: soon the database is full, and its log cannot be emptied into it.
        limit = 200_000

        def scarce():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

        with Serving(ROWBOT, self.database, 0, "--robot", "none", enter=scarce) as server:
            visitor = Visitor(server.port)
            self.assertEqual(visitor.get("/healthz")[0], 200)
            stored = []
            for _ in range(4000):
                status, answer, raw = visitor.call("POST", "/api/v1/games", {"human": "both"})
                if status != 201:
                    break
                stored.append(answer["game"])
            self.assertEqual((status, answer["error"]["code"]), (500, "not_stored"))
            self.assertIsNotNone(raw.getheader("Retry-After"))
            # Now not even the small write fits with which the server finds out that there is room again.
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            for _ in range(300):
                status, answer = visitor.get("/healthz")
                if status != 200:
                    break
                time.sleep(0.1)
            self.assertEqual((status, answer["error"]["code"]), (503, "store_not_writable"))
            for token in stored:
                self.assertEqual(visitor.get(f"/api/v1/games/{token}")[0], 200)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            self.assertEqual(visitor.get("/healthz")[0], 200, "found out without anybody writing")
            self.assertEqual(visitor.post("/api/v1/games", {"human": "both"})[0], 201)
            visitor.close()
        told = "".join(server.messages)
        failures = [line for line in told.splitlines() if "could not be stored" in line]
        self.assertTrue(failures, told)
        again = told.count("can be written again")
        self.assertGreaterEqual(again, 1, told)
        self.assertLessEqual(len(failures), len(set(failures)) * again, "each reason is told once for each trouble")

    def test_a_log_on_a_full_disk_does_not_harm_visitors(self):
        with Serving(ROWBOT, self.database, 0, "--robot", "none", "--access-log", "/dev/full") as server:
            visitor = Visitor(server.port)
            for _ in range(300):  # the buffer of a file holds the lines of some forty
                self.assertEqual(visitor.get("/healthz")[0], 200)
            visitor.close()

    def test_the_simulated_table_is_left_out_when_there_is_no_room_for_it(self):
        for megabytes in (600, 700, 800):
            limit = (megabytes * 1000 * 1024,) * 2
            with Serving(
                ROWBOT, self.database, 0, enter=lambda: resource.setrlimit(resource.RLIMIT_AS, limit)
            ) as server:
                visitor = Visitor(server.port)
                for level in ("easy", "hard", "perfect"):
                    game = visitor.post("/api/v1/games", {"level": level})[1]
                    status, game = visitor.post(f"/api/v1/games/{game['game']}/moves", {"column": 4})
                    self.assertEqual((status, len(game["moves"])), (200, 2))
                self.assertEqual(visitor.get("/api/v1/analysis?moves=4455366512")[0], 200)
                self.assertEqual(visitor.get("/api/v1/table")[0], 404)
                visitor.close()
            self.assertRegex("".join(server.messages), "simulated table is left out.*ulimit -v")

    def test_it_serves_and_plays_in_a_gigabyte_of_addresses(self):
        def small():
            resource.setrlimit(resource.RLIMIT_AS, (1_000_000 * 1024,) * 2)

        with Serving(ROWBOT, self.database, 0, "--table-speed", "20", enter=small) as server:
            visitor = Visitor(server.port)
            for level in ("easy", "moderate", "hard", "perfect"):
                game = visitor.post("/api/v1/games", {"level": level})[1]
                status, game = visitor.post(f"/api/v1/games/{game['game']}/moves", {"column": 4})
                self.assertEqual((status, len(game["moves"])), (200, 2))
            self.assertEqual(visitor.get("/api/v1/analysis?moves=4455366512")[0], 200)
            wish = {"a": "perfect", "b": "mcts:sims=20000", "games": 2}
            status, match = visitor.post("/api/v1/lab/matches", wish)
            self.assertEqual(status, 202)
            visitor.post("/api/v1/table/join")
            for _ in range(600):
                match = visitor.get(f"/api/v1/lab/matches/{match['match']}")[1]
                table = visitor.get("/api/v1/table")[1]
                if match["state"] not in ("waiting", "playing") and table["request"] == "play":
                    break
                self.assertNotEqual(table["state"], "broken", table["message"])
                time.sleep(0.1)
            self.assertEqual((match["state"], table["request"]), ("finished", "play"))
            visitor.close()


class CommandLine(unittest.TestCase):
    def test_it_says_why_it_does_not_start(self):
        with tempfile.TemporaryDirectory() as folder:
            letter = Path(folder) / "letter.txt"
            letter.write_text("Dear reader,\n" * 100)
            for arguments, code, words in (
                (["serve", "--port", "0", "--db", str(letter)], 1, "not a Rowbot database"),
                (["serve", "--port", "99999"], 2, "serve --help"),
                (["serve", "--host", "nowhere", "--db", str(Path(folder) / "a.db")], 1, "not an address"),
                (["load", "--url", "ftp://x"], 2, "http://"),
                (["load", "--url", "http://127.0.0.1:1", "--seconds", "1"], 1, "no Rowbot server"),
            ):
                ended = subprocess.run([ROWBOT, *arguments], capture_output=True, text=True, timeout=60)
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertIn(words, ended.stderr)
            self.assertTrue(letter.read_text().startswith("Dear reader"))


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main()
