#!/usr/bin/env python3
"""Arms on wires, as their users run them: bytes through a pseudo terminal or a socket, the physics
twin at the other end.

usage: wires_test.py PATH_TO_ROWBOT
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROWBOT = ""


def arm(*arguments):
    return subprocess.run([ROWBOT, "arm", *map(str, arguments)], capture_output=True, text=True, timeout=300)


class Wires(unittest.TestCase):
    def test_a_drop_goes_through_each_wire_into_its_column(self):
        for driver, robot in (
            ("serial:sim", "roboarm"),
            ("rosbridge:sim", "panda"),
            ("servo:sim", "eezybot"),
            ("servo:sim-gpio", "eezybot"),
            ("servo:sim-i2c", "eezybot"),
        ):
            for column in (2, 6):
                done = arm("drop", "--driver", driver, "--column", column, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                answer = json.loads(done.stdout)
                self.assertTrue(answer["dropped"], answer)
                self.assertEqual((answer["robot"], answer["column"]), (robot, column))
                self.assertEqual(answer["limit_violations"], 0)

    def test_a_move_goes_through_each_wire(self):
        for driver, joints, within in (
            ("serial:sim", (-40, -5, 15, 10), 0.6),
            ("rosbridge:sim", (50, 10, 5, -100, 0, 115, 20), 0.3),
        ):
            done = arm("move", "--driver", driver, "--json", "--", *joints)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(json.loads(done.stdout)["error_deg"], within)

    def test_faults_do_no_harm(self):
        for driver in ("serial", "rosbridge"):
            done = arm("faults", "--driver", driver, "--count", 30, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual(answer["faults"], 30)
            for nothing in ("unnoticed", "limit_violations", "hung", "unrecovered"):
                self.assertEqual(answer[nothing], 0, nothing)

    def test_a_wire_that_is_not_there_is_explained(self):
        for driver, words in (
            ("serial:/dev/nowhere", "plugged in"),
            ("rosbridge:ws://127.0.0.1:1", "rosbridge_server"),
        ):
            done = arm("drop", "--driver", driver)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)

    def test_servos_without_their_device_are_explained(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "hardware.toml"
            for wire in ("sysfs", "gpio", "i2c"):
                file.write_text(
                    f'version = 1\n[servos]\nwire = "{wire}"\nsysfs_chip = "/sys/nowhere"\n'
                    'gpio_chip = "/dev/nowhere"\ni2c_device = "/dev/nowhere"\n'
                )
                done = arm("drop", "--driver", f"servo:{file}")
                self.assertEqual(done.returncode, 1)
                self.assertIn("rowbot doctor", done.stderr)

    def test_wrong_drivers_are_exit_code_2_with_advice(self):
        for arguments, words in (
            (("--driver", "carrier-pigeon:sim"), "serial:ADDRESS"),
            (("--driver", "serial"), "serial:ADDRESS"),
            (("--driver", "servo:/nowhere.toml"), "cannot read"),
            (("--driver", "rosbridge:http://x"), "ws://"),
            (("--driver", "serial:sim", "--robot", "panda"), "roboarm"),
            (("--driver", "serial:sim", "--fault", "slipped-piece"), "arm faults"),
        ):
            done = arm("drop", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)

    def test_a_mistake_in_the_configuration_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "roboarm.toml"
            config.write_text("[commands]\njump = 3\n")
            done = arm("drop", "--driver", "serial:sim", "--driver-config", config)
        self.assertEqual(done.returncode, 2)
        self.assertIn("commands.jump", done.stderr)


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main()
