#!/usr/bin/env python3
"""Runs rowbot doctor, arm pwm and arm faults as their users do; the devices are a folder made here.

usage: drivers_test.py PATH_TO_ROWBOT
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROWBOT = ""


def rowbot(*arguments):
    return subprocess.run([ROWBOT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class Pwm(unittest.TestCase):
    def test_the_papers_numbers(self):
        answer = json.loads(rowbot("arm", "pwm", "--servo", "MG90S", "--angle", "90", "--json").stdout)
        self.assertEqual(answer, {"period_ms": 20, "range": 200, "clock_divider": 1920, "pulse_ms": 1.4, "value": 14})
        finer = json.loads(rowbot("arm", "pwm", "--range", "520", "--json").stdout)
        self.assertEqual(finer["clock_divider"], 739)

    def test_says_the_arithmetic_in_words(self):
        self.assertIn("19.2 MHz / (50 Hz * 200) = 1920", rowbot("arm", "pwm").stdout)

    def test_refuses_what_the_servo_cannot_do(self):
        for arguments in (["--angle", "181"], ["--servo", "X"], ["--range", "1"]):
            ended = rowbot("arm", "pwm", *arguments)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertTrue(ended.stderr)


class Faults(unittest.TestCase):
    def test_each_servo_wire_survives(self):
        for wire in ("sysfs", "gpio", "i2c"):
            ended = rowbot("arm", "faults", "--driver", f"servo-{wire}", "--count", "60", "--json")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            report = json.loads(ended.stdout)
            self.assertEqual(report["faults"], 60)
            self.assertEqual(report["reported"] + report["harmless"], 60)
            self.assertEqual(report["limit_violations"], 0)

    def test_an_unknown_driver_is_wrong_usage(self):
        ended = rowbot("arm", "faults", "--driver", "telepathy")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("servo-i2c", ended.stderr)


class Doctor(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name) / "machine"
        (self.root / "dev").mkdir(parents=True)
        self.config = Path(self.folder.name) / "hardware.toml"

    def tearDown(self):
        self.folder.cleanup()

    def add_pwm(self, channels):
        chip = self.root / "sys/class/pwm/pwmchip0"
        chip.mkdir(parents=True)
        (chip / "npwm").write_text(f"{channels}\n")
        (chip / "export").write_text("")

    def ask(self, *arguments):
        ended = rowbot("doctor", "--json", "--root", self.root, *arguments)
        return ended.returncode, {finding["check"]: finding for finding in json.loads(ended.stdout)}

    def test_an_empty_machine_is_told_what_to_do_and_nothing_is_wrong(self):
        code, findings = self.ask()
        self.assertEqual(code, 0)
        for check in ("gpio chips", "pwm chips", "i2c buses", "serial ports", "cameras"):
            self.assertFalse(findings[check]["ok"], check)
            self.assertGreater(len(findings[check]["advice"]), 20, check)

    def test_what_is_there_is_found(self):
        self.add_pwm(4)
        for name in ("gpiochip0", "i2c-1", "video0", "ttyUSB0"):
            (self.root / "dev" / name).write_text("")
        code, findings = self.ask()
        self.assertEqual(code, 0)
        for check in ("gpio chips", "pwm chips", "i2c buses", "serial ports", "cameras"):
            self.assertTrue(findings[check]["ok"], check)

    def test_what_the_file_needs_must_be_there(self):
        self.config.write_text('version = 1\ncamera = "/dev/video0"\n[servos]\nwire = "sysfs"\n[panel]\n')
        code, findings = self.ask("--config", self.config)
        self.assertEqual(code, 1)
        self.assertTrue(findings["hardware file"]["ok"])
        for check in ("camera", "servos on sysfs", "panel"):
            self.assertFalse(findings[check]["ok"], check)
        self.add_pwm(4)
        for name in ("gpiochip0", "video0"):
            (self.root / "dev" / name).write_text("")
        code, findings = self.ask("--config", self.config)
        self.assertEqual(code, 0, findings)

    def test_a_pi_with_two_channels_is_too_small_for_four_servos(self):
        self.config.write_text('version = 1\n[servos]\nwire = "sysfs"\n')
        self.add_pwm(2)
        code, findings = self.ask("--config", self.config)
        self.assertEqual(code, 1)
        self.assertIn('wire = "gpio"', findings["pwm channels"]["advice"])

    def test_a_broken_file_is_named_with_its_line(self):
        self.config.write_text("version = 1\n[servos]\nspeed = 3\n")
        code, findings = self.ask("--config", self.config)
        self.assertEqual(code, 1)
        self.assertIn("line 3", findings["hardware file"]["advice"])

    def test_a_missing_layout_is_named(self):
        self.config.write_text('version = 1\nlayout = "cell.toml"\n')
        code, findings = self.ask("--config", self.config)
        self.assertEqual(code, 1)
        self.assertIn("arm calibrate", findings["layout file"]["advice"])

    @unittest.skipIf(os.geteuid() == 0, "root may use everything")
    def test_a_device_of_another_group_is_a_matter_of_groups(self):
        (self.root / "dev/i2c-1").write_text("")
        (self.root / "dev/i2c-1").chmod(0)
        _, findings = self.ask()
        self.assertIn("usermod -aG i2c", findings["i2c buses"]["advice"])


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main()
