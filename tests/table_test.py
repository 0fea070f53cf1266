#!/usr/bin/env python3
"""The robot's table as its users run it: in the twin, and with its parts on wires.

usage: table_test.py PATH_TO_ROWBOT
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROWBOT = ""


def rowbot(*arguments, **options):
    return subprocess.run([ROWBOT, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_game_in_the_twin_is_logged_and_replayed(self):
        log = self.folder / "table.log"
        done = rowbot(
            "table",
            "--visitor",
            "random",
            "--agent",
            "forward",
            "--seed",
            3,
            "--inject",
            "two-discs@2",
            "--log",
            log,
            "--json",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((last["games"], last["finished"], last["wrong_records"]), (1, 1, 0))
        self.assertGreaterEqual(last["fouls"], 1)
        replayed = rowbot("replay", log, "--json")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        game = json.loads(replayed.stdout)
        self.assertEqual(len(game["moves"]), last["moves"])
        self.assertEqual(game["reason"], "four_in_a_row")
        self.assertIn("result", rowbot("replay", log).stdout)

    def test_ctrl_c_ends_a_recorded_table_in_the_middle_of_a_movement(self):
        film = self.folder / ("film.mp4" if shutil.which("ffmpeg") else "frames")
        table = subprocess.Popen(
            [ROWBOT, "table", "--agent", "forward", "--visitor", "random", "--seed", "3", "--record", film],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.addCleanup(table.stdout.close)
        self.addCleanup(table.kill)
        for line in table.stdout:
            if line.startswith("moving"):
                break
        os.killpg(table.pid, signal.SIGINT)  # as the terminal does: everybody in the foreground
        rest = table.stdout.read()
        self.assertEqual(table.wait(60), 0)
        self.assertIn("The table is closed.", rest)
        self.assertNotIn("verifying", rest)  # the disc was not carried to the board first
        if film.suffix == ".mp4":
            self.assertIn(b"moov", film.read_bytes())  # the film has its index
        else:
            self.assertTrue(any(film.iterdir()))

    def test_typed_columns_play_against_an_arm_on_a_wire(self):
        table = subprocess.Popen(
            [ROWBOT, "table", "--driver", "serial:sim", "--senses", "keys", "--agent", "forward", "--speed", "20"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(table.stdout.close)
        self.addCleanup(table.stdin.close)
        self.addCleanup(table.kill)

        def until(words):
            for line in table.stdout:
                if words in line:
                    return line
            self.fail(f"the table ended before it said: {words}")

        until("Your move")
        table.stdin.write("4\n")
        table.stdin.flush()
        until("I play column")
        until("Your move")
        table.stdin.write("s\n")
        table.stdin.flush()
        until("Stopped")
        table.stdin.write("q\n")
        table.stdin.flush()
        until("closed")
        self.assertEqual(table.wait(60), 0)

    def test_the_configuration_alone_chooses_the_parts(self):
        config = self.folder / "table.toml"
        for driver, senses, robot in (("sim", "switches", "eezybot"), ("servo:sim-i2c", "camera", "eezybot")):
            config.write_text(f'version = 1\ndriver = "{driver}"\nsenses = "{senses}"\nagent = "forward"\n')
            log = self.folder / f"{senses}.log"
            done = rowbot(
                "table",
                "--config",
                config,
                "--visitor",
                "random",
                "--seed",
                3,
                "--log",
                log,
                "--inject",
                "leaves@2",
                "--json",
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertIn("has left", lines[0]["said"])
            self.assertEqual(lines[-1]["wrong_records"], 0)
            game = next(json.loads(line) for line in log.read_text().splitlines() if '"event":"game"' in line)
            self.assertEqual((game["robot"], game["second"]), (robot, "forward"))

    def test_people_put_the_discs_in_where_there_is_no_arm(self):
        table = subprocess.Popen(
            [ROWBOT, "table", "--driver", "none", "--senses", "keys", "--agent", "forward"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(table.stdout.close)
        self.addCleanup(table.stdin.close)
        self.addCleanup(table.kill)
        for said, typed in (
            ("Your move", "4\n"),
            ("Please put my disc there", ""),
            ("Your move", "q\n"),
            ("closed", ""),
        ):
            for line in table.stdout:
                if said in line:
                    break
            else:
                self.fail(f"the table ended before it said: {said}")
            table.stdin.write(typed)
            table.stdin.flush()
        self.assertEqual(table.wait(60), 0)

    def test_tells_the_service_manager_that_it_is_ready_and_alive(self):
        path = str(self.folder / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(path)
            listener.settimeout(60)
            table = subprocess.Popen(
                [ROWBOT, "table", "--driver", "serial:sim", "--senses", "keys"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "NOTIFY_SOCKET": path},
            )
            self.addCleanup(table.kill)
            heard = []
            while not {"READY=1", "WATCHDOG=1"} <= set(heard):
                heard.append(listener.recv(4096).decode())
            self.assertTrue(any(text.startswith("STATUS=") for text in heard), heard)
            table.terminate()
            self.assertEqual(table.wait(60), 0)

    def test_what_is_wrong_is_said(self):
        for arguments, words in (
            (("--inject", "earthquake@3"), "earthquake"),
            (("--inject", "two-discs"), "NAME@PLY"),
            (("--senses", "smell"), "smell"),
            (("--speed", "warp"), "warp"),
            (("--robot", "golem"), "golem"),
            (("--driver", "serial"), "no address"),
            (("--config", "/nowhere.toml"), "/nowhere.toml"),
            (("--agent", "nobody"), "nobody"),
            (("--driver", "serial:sim", "--robot", "panda"), "roboarm"),
            (("--driver", "rosbridge:sim", "--inject", "slipped-piece@2"), "arm faults"),
            (("--inject", "phantom-press@2"), "switches"),
            (("--camera", "/nowhere/video"), "camera: /nowhere/video"),
            (("--driver", "none", "--camera", "sim"), "name a device"),
        ):
            done = rowbot("table", *arguments)
            self.assertIn(done.returncode, (1, 2), arguments)
            self.assertIn(words, done.stderr)

    def test_a_log_that_is_none_is_refused_and_kept(self):
        log = self.folder / "diary"
        log.write_text("dear diary\n")
        self.assertEqual(rowbot("table", "--log", log).returncode, 1)
        done = rowbot("replay", log)
        self.assertEqual(done.returncode, 1)
        self.assertIn("line 1", done.stderr)
        self.assertEqual(log.read_text(), "dear diary\n")


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main()
