#!/usr/bin/env python3
"""Runs the built program as its users do: commands, exit codes, messages, games by pipe and by key.

usage: cli_test.py PATH_TO_ROWBOT [CLASS...]
"""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROWBOT = ""


def rowbot(*arguments, typed=""):
    return subprocess.run([ROWBOT, *arguments], input=typed, capture_output=True, text=True, timeout=120)


class Commands(unittest.TestCase):
    def test_perft_prints_the_known_counts(self):
        known = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
        lines = rowbot("perft", "8").stdout.split("\n")
        self.assertEqual(lines[:-1], [f"{ply} {count}" for ply, count in enumerate(known)])

    def test_agents_json_lists_name_help_and_options(self):
        agents = json.loads(rowbot("agents", "--json").stdout)
        self.assertIn("random", [agent["name"] for agent in agents])
        for agent in agents:
            self.assertTrue(agent["help"])
            self.assertIsInstance(agent["options"], list)

    def test_every_command_explains_itself(self):
        top = rowbot("--help")
        self.assertEqual(top.returncode, 0)
        for command in (
            "play",
            "agents",
            "show",
            "perft",
            "see",
            "solve",
            "book",
            "bench",
            "quality",
            "match",
            "tournament",
            "games",
            "experiment",
            "parent",
            "child",
            "train",
            "experience",
        ):
            self.assertIn(command, top.stdout)
            self.assertEqual(rowbot(command, "--help").returncode, 0)

    def test_wrong_usage_is_exit_code_2_with_advice_on_standard_error(self):
        for arguments, advice in (
            ((), "--help"),
            (("plya",), "did you mean 'play'?"),
            (("perft", "99"), "perft --help"),
            (("play", "--nonsense"), "play --help"),
            (("play", "--first", "randm"), "did you mean 'random'?"),
            (("play", "--load", "/no/such/file"), "cannot read /no/such/file"),
            (("show", "4x"), "rows"),
            (("show", "448"), "character 3 is '8'"),
        ):
            ended = rowbot(*arguments)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertEqual(ended.stdout, "", arguments)
            self.assertIn(advice, ended.stderr, arguments)

    def test_solve_prints_the_fields_programs_count_on(self):
        answer = json.loads(rowbot("solve", "335662333565", "--json").stdout)
        self.assertEqual(
            list(answer),
            ["position", "score", "scores", "best", "nodes", "microseconds", "total_microseconds", "pv"],
        )
        self.assertGreaterEqual(answer["total_microseconds"], answer["microseconds"])
        self.assertEqual(answer["score"], -2)
        self.assertEqual(answer["best"], [6])
        self.assertEqual(max(score for score in answer["scores"] if score is not None), -2)
        self.assertTrue(answer["pv"].startswith("6"))

    def test_solve_says_the_result_in_words(self):
        self.assertIn("first player wins in 21 moves", rowbot("solve").stdout)
        self.assertRegex(rowbot("solve").stdout, r"for the score; .* with every column and the line")
        weak = rowbot("solve", "335662333565", "--weak", "--no-book", "--threads", "2").stdout
        self.assertIn("second player wins", weak)

    def test_solve_compares_a_file_with_its_expected_scores(self):
        right = rowbot(
            "solve", "--file", "-", "--no-book", "--cold", "--json", typed="335662333565 -2\n157564142155 -5\n"
        )
        self.assertEqual(right.returncode, 0, right.stderr)
        summary = json.loads(right.stdout.splitlines()[-1])
        self.assertEqual((summary["positions"], summary["wrong"]), (2, 0))
        for field in ("mean_us", "median_us", "max_us", "mean_nodes", "nodes_per_second"):
            self.assertGreater(summary[field], 0)
        wrong = rowbot("solve", "--file", "-", typed="335662333565 3\n")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("1 of 1 scores differ", wrong.stderr)

    def test_solve_refuses_what_it_cannot_solve(self):
        over = rowbot("solve", "4141414")
        self.assertEqual(over.returncode, 1)
        self.assertIn("the game is over", over.stderr)
        self.assertEqual(rowbot("solve", "448").returncode, 2)
        line = rowbot("solve", "--file", "-", typed="44\n4x\n")
        self.assertEqual(line.returncode, 1)
        self.assertIn("line 2", line.stderr)

    def test_a_damaged_book_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "book.bin")
            path.write_bytes(b"ROWBOOK1" + bytes(100))
            for arguments in (("book", "info", str(path)), ("solve", "44", "--book", str(path))):
                ended = rowbot(*arguments)
                self.assertEqual(ended.returncode, 1)
                self.assertIn("damaged", ended.stderr)

    def test_bench_playouts_measures_every_kernel_on_the_same_game(self):
        rows = json.loads(rowbot("bench", "playouts", "--seconds", "0.05", "--json").stdout)
        self.assertEqual(rows[0]["kernel"], "scalar")
        for row in rows:
            self.assertGreater(row["playouts_per_cpu_second"], 0)
            self.assertAlmostEqual(row["mean_plies"], 21.31, delta=0.1)
            self.assertAlmostEqual(row["first_wins"], 0.5557, delta=0.01)
            self.assertAlmostEqual(row["draws"], 0.0026, delta=0.001)

    def test_bench_mcts_measures_searches_of_several_sizes(self):
        rows = json.loads(rowbot("bench", "mcts", "--sims", "1000,10k", "--json").stdout)
        self.assertEqual([row["sims"] for row in rows], [1000, 10000])
        for row in rows:
            self.assertGreater(row["sims_per_cpu_second"], 0)
            self.assertLess(row["bytes_per_sim"], 40)
            self.assertIn(row["best"], range(1, 8))
        wrong = rowbot("bench", "mcts", "--agent", "random")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("must be an mcts agent", wrong.stderr)

    def test_quality_judges_moves_by_the_solver(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "positions.txt")
            path.write_text("6146 18\n335662333565\n\n265756512 -12\n")
            command = ("quality", "perfect", "--file", str(path), "--json")
            judged = json.loads(rowbot(*command).stdout)
            self.assertEqual((judged["positions"], judged["value_kept"]), (3, 1.0))
            self.assertLess(judged["value_kept_low"], 1.0)
            self.assertEqual(judged["value_kept_high"], 1.0)
            self.assertGreaterEqual(judged["mean_ms"], 0)
            self.assertEqual(json.loads(rowbot(*command, "--limit", "1").stdout)["positions"], 1)
            path.write_text("44\n48 1\n")
            wrong = rowbot(*command)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn("positions.txt:2:", wrong.stderr)

    def test_show_reads_every_notation(self):
        moves = json.loads(rowbot("show", "4453", "--json").stdout)
        for other in (moves["board"], moves["state"], json.dumps(moves["list"])):
            self.assertEqual(json.loads(rowbot("show", other, "--json").stdout), moves)


class Output(unittest.TestCase):
    """A result that does not arrive is a failure."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.database = str(Path(cls.folder.name, "rowbot.db"))
        made = rowbot("match", "random", "forward", "--games", "400", "--db", cls.database)
        assert made.returncode == 0, made.stderr
        cls.experience = str(Path(cls.folder.name, "experience.db"))
        made = rowbot("train", "q", "--episodes", "200", "--experience", cls.experience)
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def commands(self):
        positions = Path(self.folder.name, "positions.txt")
        positions.write_text("6146 18\n335662333565\n")
        database = ("--db", self.database)
        experience = ("--experience", self.experience)
        return (
            ("--help",),
            ("--version",),
            ("play", "--help"),
            ("agents",),
            ("agents", "--json"),
            ("show", "44"),
            ("show", "44", "--json"),
            ("perft", "3"),
            ("solve", "335662333565"),
            ("solve", "335662333565", "--json"),
            ("solve", "--file", str(positions)),
            ("quality", "perfect", "--file", str(positions)),
            ("bench", "playouts", "--seconds", "0.01"),
            ("bench", "mcts", "--sims", "1000", "--json"),
            ("play", "--first", "random", "--second", "random"),
            ("play", "--first", "random", "--second", "random", "--json"),
            ("match", "random", "forward", "--games", "2", *database),
            ("tournament", "random", "forward", "--games", "2", *database, "--json"),
            ("games", "list", *database),
            ("games", "show", "1", "0", *database),
            ("games", "export", *database),
            ("games", "export", "--format", "csv", *database),
            ("games", "export", "--format", "pgn", *database),
            ("experiment", "list"),
            ("experiment", "list", "--json"),
            ("train", "q", "--episodes", "200", "--json"),
            ("experience", "stats", *experience),
            ("experience", "show", "44", *experience),
            ("experience", "export", *experience),
            ("arm", "models"),
            ("arm", "models", "--json"),
            ("arm", "pwm"),
            ("arm", "fk", "--robot", "eezybot", "0", "90", "90"),
            ("doctor",),
            ("doctor", "--json"),
        )

    def test_a_full_disk_is_exit_code_1_with_a_message(self):
        for command in self.commands():
            with self.subTest(command=command):
                with open("/dev/full", "w") as full:
                    ended = subprocess.run(
                        [ROWBOT, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120
                    )
                self.assertEqual(ended.returncode, 1, ended.stderr)
                self.assertIn("cannot write the result to standard output", ended.stderr)
                self.assertNotIn("internal error", ended.stderr)

    def test_a_closed_standard_output_is_a_failure_and_no_file_takes_its_place(self):
        ended = subprocess.run(
            ["sh", "-c", 'exec "$0" "$@" >&-', ROWBOT, "show", "44"], stderr=subprocess.PIPE, text=True, timeout=120
        )
        self.assertEqual(ended.returncode, 1)
        self.assertIn("cannot write the result to standard output", ended.stderr)

    def test_a_reader_that_leaves_ends_the_program_quietly(self):
        for ignored, ends in ((False, -signal.SIGPIPE), (True, 1)):
            with self.subTest(ignored=ignored):
                program = subprocess.Popen(
                    [ROWBOT, "games", "export", "--db", self.database],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    restore_signals=not ignored,
                )
                program.stdout.close()  # 400 games are more than a pipe holds
                self.assertEqual(program.stderr.read(), b"")
                self.assertEqual(program.wait(timeout=120), ends)
                program.stderr.close()

    def test_a_long_stream_ends_with_its_first_line_that_cannot_be_written(self):
        # Fourteen plies take minutes; the first line is there at once.
        with open("/dev/full", "w") as full:
            begun = time.monotonic()
            ended = subprocess.run([ROWBOT, "perft", "14"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("No space left", ended.stderr)
        self.assertLess(time.monotonic() - begun, 20)


class Files(unittest.TestCase):
    """A file option takes regular files of a reasonable size; nothing else may hang or eat memory."""

    def readers(self, image):
        """Every option that reads a file; the file's name is added at the end."""
        return (
            ("book", "info"),
            ("solve", "44", "--book"),
            ("solve", "--file"),
            ("quality", "perfect", "--file"),
            ("play", "--load"),
            ("see", image, "--calibration"),
            ("see", image, "--expect"),
            ("arm", "plan", "--column", "4", "--layout"),
            ("arm", "move", "--driver", "serial:sim", "--to", "neutral", "--driver-config"),
            ("table", "--layout"),
            ("table", "--config"),
            ("table", "--world"),
            ("table", "--log"),
            ("doctor", "--config"),
            ("replay",),
            ("serve", "--port", "0", "--db", "/dev/null", "--operator-token-file"),
        )

    def test_no_device_pipe_folder_or_huge_file_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe, huge = Path(folder, "pipe"), Path(folder, "huge")
            os.mkfifo(pipe)
            huge.touch()
            os.truncate(huge, 1 << 40)
            image = str(Path(__file__).parent)
            for reader in self.readers(image):
                for name in ("/dev/zero", str(pipe), folder, str(huge)):
                    with self.subTest(reader=reader, name=name):
                        ended = subprocess.run(
                            [ROWBOT, *reader, name],
                            capture_output=True,
                            text=True,
                            timeout=60,
                            stdin=subprocess.DEVNULL,
                        )
                        said = ended.stderr + ended.stdout
                        self.assertIn(ended.returncode, (1, 2), said)
                        self.assertIn(name, said)
                        self.assertNotIn("internal error", said)
                        self.assertRegex(said, "regular file|is a folder|too large|Is a directory")

    def test_positions_to_solve_may_come_through_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = Path(folder, "fifo")
            os.mkfifo(fifo)
            with subprocess.Popen(
                [ROWBOT, "solve", "--file", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            ) as program:
                for _ in range(2):  # an answer before the next question: nothing is read ahead
                    program.stdin.write("335662333565 -2\n")
                    program.stdin.flush()
                    self.assertTrue(select.select([program.stdout], [], [], 60)[0])
                    self.assertEqual(json.loads(os.read(program.stdout.fileno(), 4096))["score"], -2)
                program.stdin.close()
                self.assertEqual(json.loads(program.stdout.read())["positions"], 2)
            self.assertEqual(program.returncode, 0)
            writer = subprocess.Popen(["sh", "-c", f"echo 157564142155 -5 >{fifo}"])
            time.sleep(0.5)
            named = rowbot("solve", "--file", str(fifo))
            self.assertEqual(writer.wait(timeout=60), 0)
            self.assertIn("157564142155 -5\n", named.stdout)
            unnamed = subprocess.run(
                ["bash", "-c", '"$0" solve --file <(echo 335662333565)', ROWBOT],
                capture_output=True,
                text=True,
                timeout=120,
            )
            self.assertIn("335662333565 -2\n", unnamed.stdout, unnamed.stderr)

    def test_an_endless_line_of_positions_is_refused(self):
        with open("/dev/zero") as zeros:
            ended = subprocess.run(
                [ROWBOT, "solve", "--file", "-"], stdin=zeros, capture_output=True, text=True, timeout=60
            )
        self.assertEqual(ended.returncode, 1)
        self.assertIn("line 1", ended.stderr)

    def test_a_number_below_0_or_beyond_the_largest_is_wrong_usage(self):
        for command in (
            ("play", "--first", "random", "--second", "random", "--seed"),
            ("match", "random", "random", "--db", "/dev/null", "--seed"),
            ("match", "random", "random", "--db", "/dev/null", "--games"),
            ("solve", "44", "--table-mb"),
            ("train", "q", "--seed"),
            ("train", "q", "--window"),
            ("table", "--seed"),
            ("load", "--seed"),
            ("serve", "--port"),
            ("arm", "roundtrip", "--count"),
            ("games", "show", "1"),
        ):
            for number in ("-1", "-18446744073709551615", "18446744073709551616"):
                with self.subTest(command=command, number=number):
                    ended = (
                        rowbot(*command[:-1], f"{command[-1]}={number}")
                        if command[-1].startswith("--")
                        else rowbot(*command, "--", number)
                    )
                    self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("'-1' is below 0", rowbot("table", "--seed=-1").stderr)

    def test_help_is_plain_text(self):
        for command in (("train", "q"), ("play",), ("table",), ("serve",), ("match",), ("see",)):
            shown = rowbot(*command, "--help").stdout
            self.assertRegex(shown, r"\A[\x20-\x7e\n]+\Z", command)
        self.assertIn("{learner,opponent,alternate}=learner", rowbot("train", "q", "--help").stdout)


class Play(unittest.TestCase):
    def test_agents_play_a_game_to_a_record(self):
        record = json.loads(rowbot("play", "--first", "random", "--second", "forward", "--json").stdout)
        self.assertIn(record["result"], ("first", "second", "draw"))
        self.assertRegex(record["moves"], "^[1-7]{7,42}$")
        self.assertEqual(len(record["thinking_us"]), len(record["moves"]))

    def test_a_seed_repeats_the_game(self):
        arguments = ("play", "--first", "random", "--second", "random", "--seed", "5", "--json")
        one, two = (json.loads(rowbot(*arguments).stdout) for _ in range(2))
        self.assertEqual(one["moves"], two["moves"])

    def test_nonsense_is_answered_and_the_game_goes_on(self):
        ended = rowbot(
            "play", "--first", "human", "--second", "human", "--json", typed="abc\n9\n4\n\n1\n4\n1\n4\n1\n4\n"
        )
        self.assertEqual(ended.returncode, 0)
        self.assertIn("'abc' is not a move", ended.stderr)
        self.assertEqual(json.loads(ended.stdout)["moves"], "4141414")
        self.assertEqual(json.loads(ended.stdout)["result"], "first")

    def test_a_full_column_is_refused_in_words(self):
        ended = rowbot("play", "--second", "human", typed="1\n1\n1\n1\n1\n1\n1\nq\n")
        self.assertIn("Column 1 is full", ended.stdout)

    def test_undo_takes_back_the_answer_too(self):
        ended = rowbot("play", "--second", "random", "--json", typed="4\nu\nu\n3\nq\n")
        self.assertIn("no move of yours to take back", ended.stderr)
        self.assertRegex(json.loads(ended.stdout)["moves"], "^3[1-7]$")

    def test_the_end_of_input_leaves_the_game_unfinished(self):
        record = json.loads(rowbot("play", "--second", "human", "--json", typed="4\n").stdout)
        self.assertEqual((record["result"], record["reason"]), ("ongoing", "interrupted"))

    def test_a_saved_game_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "game.txt")
            rowbot("play", "--second", "human", typed=f"4\n1\ns {path}\nq\n")
            self.assertIn("moves: 41", Path(path).read_text())
            ended = rowbot("play", "--load", path, "--json", typed="4\n1\n4\n1\n4\n")
            self.assertEqual(json.loads(ended.stdout)["moves"], "4141414")

    def test_a_damaged_save_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.txt"
            path.write_text("rowbot-game: 1\nfirst: human\nsecond: human\nmoves: 48\n")
            ended = rowbot("play", "--load", str(path))
            self.assertEqual(ended.returncode, 2)
            self.assertIn("character 2 is '8'", ended.stderr)

    def test_no_colour_codes_where_the_output_is_no_terminal(self):
        plain = rowbot("play", "--first", "random", "--second", "random").stdout
        self.assertNotIn("\x1b", plain)
        self.assertIn("\x1b", rowbot("play", "--first", "random", "--second", "random", "--color", "always").stdout)

    def test_single_keys_play_at_a_terminal(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "xterm"
            os.execv(ROWBOT, [ROWBOT, "play", "--second", "human"])
        shown = ""

        def wait_for(text):
            nonlocal shown
            deadline = time.monotonic() + 60
            while text not in shown:
                self.assertLess(time.monotonic(), deadline, shown)
                shown += os.read(terminal, 65536).decode(errors="replace")
            shown = shown.split(text, 1)[1]

        for key in "4141414":
            wait_for("your move")
            os.write(terminal, key.encode())
        wait_for("wins in 7 moves")
        wait_for("new game")
        os.write(terminal, b"q")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)


if __name__ == "__main__":
    ROWBOT = sys.argv.pop(1)
    unittest.main()
