#!/usr/bin/env python3
"""Runs rowbot see as its users do, on boards drawn here.

usage: see_test.py PATH_TO_ROWBOT
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROWBOT = ""
BOARD = "......./......./......./...A.../..BAB../.ABABA."


def see(*arguments, typed=""):
    return subprocess.run(
        [ROWBOT, "see", *map(str, arguments)], input=typed, capture_output=True, text=True, timeout=120
    )


def draw_board(path, board=BOARD, pitch=40, marker=None):
    """A blue frame with red and yellow discs before a grey wall, as a PPM file; on top of it the
    gripper's marker over a column, counted from 0."""
    colours = {"A": (190, 30, 35), "B": (235, 200, 40), ".": (200, 200, 195)}
    rows = board.split("/")
    above = 2 * pitch if marker is not None else 0
    width, height = 9 * pitch, 8 * pitch + above
    pixels = bytearray()
    for y in range(-above, height - above):
        for x in range(width):
            if marker is not None:
                far = max(abs(x - (marker + 1.5) * pitch), abs(y + 0.5 * pitch))
                if far < 0.4 * pitch:
                    pixels += bytes((220, 30, 200) if far < 0.25 * pitch else (250, 250, 250))
                    continue
            column, dx = divmod(x - pitch, pitch)
            row, dy = divmod(y - pitch, pitch)
            inside = 0 <= column < 7 and 0 <= row < 6
            round_ = (dx - pitch / 2) ** 2 + (dy - pitch / 2) ** 2 < (0.38 * pitch) ** 2
            on_frame = pitch * 0.8 < x < pitch * 8.2 and pitch * 0.8 < y < pitch * 7.2
            if inside and round_:
                pixels += bytes(colours[rows[row][column]])
            else:
                pixels += bytes((25, 60, 170) if on_frame else colours["."])
    path.write_bytes(b"P6 %d %d 255\n" % (width, height) + pixels)


class See(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.image = self.path / "board.ppm"
        draw_board(self.image)

    def tearDown(self):
        self.folder.cleanup()

    def test_the_gripper_may_let_go_over_its_column_only(self):
        draw_board(self.image, marker=3)
        ended = see(self.image, "--gripper", 4, "--json")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        sight = json.loads(ended.stdout)
        self.assertTrue(sight["over_column"])
        self.assertAlmostEqual(sight["off_mm"], 0, delta=2)
        ended = see(self.image, "--gripper", 3)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("to the right of column 3", ended.stdout)
        draw_board(self.image)
        self.assertIn("marker", see(self.image, "--gripper", 4).stderr)

    def test_json_has_the_promised_keys(self):
        ended = see(self.image, "--json")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        reading = json.loads(ended.stdout)
        self.assertEqual(sorted(reading), ["board", "colors", "confidence", "corners", "ms", "raw", "status"])
        self.assertEqual(reading["board"], BOARD)
        self.assertEqual(len(reading["confidence"]), 42)
        self.assertEqual(len(reading["corners"]), 4)
        for (x, y), (column, row) in zip(reading["corners"], ((0, 0), (6, 0), (6, 5), (0, 5))):
            self.assertAlmostEqual(x, 60 + 40 * column, delta=3)
            self.assertAlmostEqual(y, 60 + 40 * row, delta=3)
        self.assertRegex(reading["colors"]["A"], "^#[0-9a-f]{6}$")

    def test_a_picture_upside_down_is_read_as_the_board_stands(self):
        draw_board(self.image, BOARD[::-1])
        reading = json.loads(see(self.image, "--json").stdout)
        self.assertIs(reading["upside_down"], True)
        self.assertEqual(reading["board"], BOARD)
        self.assertIn("upside down", see(self.image).stdout)

    def test_a_film_gives_its_events_with_frame_and_film_time(self):
        drops = ["......./......./......./......./......./......."]
        for column, disc in ((3, "A"), (2, "B"), (4, "A"), (4, "A")):
            cells = [list(row) for row in drops[-1].split("/")]
            row = max(r for r in range(6) if cells[r][column] == ".")
            cells[row][column] = disc
            drops.append("/".join("".join(row) for row in cells))
        for frame in range(50):
            draw_board(self.path / f"f{frame:03}.ppm", drops[frame // 10], pitch=24)
        film = self.path / "game.avi"
        made = subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-framerate", "20", "-i", self.path / "f%03d.ppm"]
            + ["-c:v", "mjpeg", "-q:v", "2", film],
            capture_output=True,
            text=True,
        )
        self.assertEqual(made.returncode, 0, made.stderr)
        events = [json.loads(line) for line in see(film, "--json", "--referee").stdout.splitlines()]
        self.assertEqual(events[0]["event"], "board found")
        self.assertEqual([e["board"] for e in events if e["event"] == "drop"], drops[1:])
        self.assertEqual([e["column"] for e in events if e["event"] == "drop"], [4, 3, 5, 5])
        for event, at in zip((e for e in events if e["event"] == "drop"), (10, 20, 30, 40)):
            self.assertLessEqual(abs(event["frame"] - at), 4)
            self.assertAlmostEqual(event["seconds"], event["frame"] / 20, places=3)
        self.assertEqual([e["column"] for e in events if e["event"] == "out of turn"], [5])

    def test_a_film_that_cannot_be_opened_is_one_line(self):
        film = self.path / "broken.mp4"
        film.write_bytes(b"four in a row")
        ended = see(film)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
        self.assertIn("no such film", see(self.path / "missing.mp4").stderr)

    def test_people_see_the_board_and_the_confidence(self):
        shown = see(self.image).stdout
        self.assertIn(". A B A B A .", shown)
        self.assertIn("%", shown)

    def test_an_overlay_is_drawn_and_a_bad_path_for_it_is_an_error(self):
        self.assertEqual(see(self.image, "--overlay", self.path / "out.png").returncode, 0)
        self.assertTrue((self.path / "out.png").read_bytes().startswith(b"\x89PNG"))
        ended = see(self.image, "--overlay", self.path / "no" / "where.png")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("cannot be written", ended.stderr)

    def test_expect_reports_accuracy_in_the_last_line(self):
        draw_board(self.path / "empty.ppm", "/".join(["......."] * 6))
        labels = self.path / "labels.tsv"
        labels.write_text(
            "# drawn here\nfile\tgroup\tstatus\tboard\n"
            f"board.ppm\tdrawn\tsure\t{BOARD.translate(str.maketrans('AB', 'BA'))}\n"
            f"empty.ppm\tdrawn\tsure\t{BOARD}\n"
        )
        lines = see("--expect", labels, self.path, "--json").stdout.strip().split("\n")
        last = json.loads(lines[-1])
        self.assertEqual(last["photos"], 2)
        self.assertEqual(last["exact"], 1)
        self.assertEqual(last["cells"], 84)
        self.assertEqual(last["cells_right"], 42 + BOARD.count("."))
        for key in ("confident_wrong", "refused", "mean_ms"):
            self.assertIn(key, last)

    def test_calibrate_asks_saves_and_is_used(self):
        saved = self.path / "eyes.json"
        ended = see("--calibrate", self.image, "--save", saved, typed="y\ny\nn\n")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        reading = json.loads(see(self.image, "--calibration", saved, "--json").stdout)
        self.assertEqual(reading["board"], BOARD.translate(str.maketrans("AB", "BA")))
        ended = see("--calibrate", self.image, "--save", saved, typed="y\n")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("before it was complete", ended.stderr)

    def test_what_is_no_image_is_said_clearly(self):
        for name, content, words in (
            ("empty.jpg", b"", "empty"),
            ("text.jpg", b"four in a row", "not an image"),
            ("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\4\0\0\0\4\10\2", "cut short"),
            ("huge.ppm", b"P6 70000 70000 255\n", "too large"),
        ):
            (self.path / name).write_bytes(content)
            ended = see(self.path / name)
            self.assertEqual(ended.returncode, 1, name)
            self.assertEqual(ended.stdout, "", name)
            self.assertIn(words, ended.stderr, name)
        self.assertEqual(see(self.path / "missing.jpg").returncode, 1)
        self.assertIn("no such camera", see("/dev/video99").stderr)

    def test_an_image_without_a_board_is_none(self):
        blank = self.path / "blank.ppm"
        blank.write_bytes(b"P6 320 240 255\n" + bytes(320 * 240 * 3))
        reading = json.loads(see(blank, "--json").stdout)
        self.assertEqual(reading["status"], "none")
        self.assertEqual(reading["corners"], [])


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main()
