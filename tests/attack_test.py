#!/usr/bin/env python3
"""Honest players beside hostile clients: nothing acknowledged is lost, whatever the others send.

`rowbot load` plays both: malformed, endless, slow and half-open requests, floods of pages, analyses, games, surveys
and matches, and abused WebSockets, each attacker with an address of its own. Beside them a visitor asks for one thing
of every kind, alone first and then during the attack. Times are reported, not judged; every answer must be right.

usage: attack_test.py PATH_TO_ROWBOT [--seconds S] [--players N] [--slow N] [--attack N]
"""

import argparse
import itertools
import json
import re
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from serving import Serving, Visitor


class MemoryWatch(threading.Thread):
    """The most memory a process has of its own, in megabytes; pages of shared libraries do not count."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.status, self.most, self.over = Path(f"/proc/{pid}/status"), 0.0, threading.Event()

    def run(self):
        while not self.over.wait(0.05):
            self.most = max(self.most, int(re.search(r"RssAnon:\s*(\d+)", self.status.read_text()).group(1)) / 1024)

    def end(self):
        self.over.set()
        self.join()
        return self.most


class HonestVisitor(threading.Thread):
    """Asks for one thing of every kind, in turn and without haste, and notes how long each took."""

    PATHS = (
        "/",
        "/healthz",
        "/api/v1/levels",
        "/api/v1/statistics",
        "/api/v1/lab/experiments",
        "/api/v1/table",
        "/api/v1/analysis?moves=",
    )
    PAUSE = 0.1

    def __init__(self, port):
        super().__init__(daemon=True)
        self.visitor, self.over = Visitor(port), threading.Event()
        self.took = {path: [] for path in self.PATHS}
        self.wrong = []

    @staticmethod
    def unasked(round):
        """Four moves that nobody asked about before, so that the answer has to be computed."""
        return "".join(str(1 + round // 7**place % 7) for place in range(4))

    def run(self):
        for round in itertools.count():
            for path in self.PATHS:
                query = self.unasked(round) if path.endswith("=") else ""
                begun = time.monotonic()
                status, _, _ = self.visitor.call("GET", path + query, headers={"X-Forwarded-For": "203.0.113.77"})
                self.took[path].append(time.monotonic() - begun)
                if status != 200:
                    self.wrong.append(f"{path}: {status}")
                if self.over.wait(self.PAUSE):
                    return

    def end(self):
        self.over.set()
        self.join()
        self.visitor.close()
        assert not self.wrong, self.wrong
        return self.took


def quantile_ms(seconds, share):
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))] * 1000


def print_visits(alone, attacked):
    for path, quiet in alone.items():
        print(
            f"{path:28} p50 {quantile_ms(quiet, 0.5):6.1f} -> {quantile_ms(attacked[path], 0.5):6.1f} ms, "
            f"p99 {quantile_ms(quiet, 0.99):6.1f} -> {quantile_ms(attacked[path], 0.99):6.1f} ms "
            f"({len(quiet)} -> {len(attacked[path])} requests)"
        )


def visit_alone(port, seconds):
    visitor = HonestVisitor(port)
    visitor.start()
    time.sleep(seconds)
    return visitor.end()


def check_refusal(options):
    """A server that is not there is a failure, not a quiet evening."""
    done = subprocess.run(
        [options.rowbot, "load", "--url", "http://127.0.0.1:1", "--seconds", "1"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1 and "no Rowbot server answers" in done.stderr, (done.returncode, done.stderr)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("rowbot")
    arguments.add_argument("--seconds", type=float, default=10)
    arguments.add_argument("--players", type=int, default=30)
    arguments.add_argument("--slow", type=int, default=40)
    arguments.add_argument("--attack", type=int, default=40)
    arguments.add_argument(
        "--pause", type=float, default=0.3, help="the least between two moves; the most is thrice that"
    )
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check_refusal(options)
        with Serving(options.rowbot, Path(folder) / "games.db", 0, "--behind-proxy") as server:
            watch = MemoryWatch(server.process.pid)
            watch.start()
            alone = visit_alone(server.port, min(3 + options.seconds / 10, 30))
            honest = HonestVisitor(server.port)
            honest.start()
            done = subprocess.run(
                [
                    options.rowbot,
                    "load",
                    "--url",
                    f"http://127.0.0.1:{server.port}",
                    "--json",
                    "--addresses",
                    "--players",
                    str(options.players),
                    "--slow",
                    str(options.slow),
                    "--attack",
                    str(options.attack),
                    "--seconds",
                    str(options.seconds),
                    "--least-pause",
                    str(options.pause),
                    "--most-pause",
                    str(3 * options.pause),
                ],
                capture_output=True,
                text=True,
                timeout=options.seconds + 300,
            )
            attacked = honest.end()
            assert done.stdout, done.stderr
            report = json.loads(done.stdout)
            memory = watch.end()
            visitor = Visitor(server.port)
            status, health = visitor.get("/healthz")
            visitor.close()
            assert server.process.poll() is None, "the server ended"
    for level in report["levels"]:
        print(
            f"{level['level']:12} {level['moves']:6} moves, p50 {level['p50_ms']:7.1f} ms, p99 {level['p99_ms']:7.1f} ms"
        )
    for attack in report["attacks"]:
        print(
            f"{attack['kind']:24} {attack['connections']:6} connections, {attack['bytes_sent'] / 1e6:7.1f} MB sent, "
            f"{attack['answered']:7} answered, {attack['refused']:7} refused, {attack['failed']} failed"
        )
    print_visits(alone, attacked)
    print(
        f"{report['moves']} moves of {report['players']} players, {report['errors']} errors, {report['busy']} times busy, "
        f"{memory:.0f} MB of memory at most; first error: {report['first_error'] or 'none'}"
    )
    assert done.returncode == 0, done.stderr
    for name in ("lost_moves", "doubled_moves", "lost_results", "doubled_results", "unverified"):
        assert report[name] == 0, f"{name}: {report[name]}"
    assert report["moves"] > 0 and len(report["attacks"]) == min(20, options.attack), report
    assert sum(attack["failed"] for attack in report["attacks"]) == 0, "an attacker was answered 500"
    assert status == 200, (status, health)
    # Endless requests may not stay in memory; a server with all its agents has about 150 MB.
    assert memory < 600, f"{memory:.0f} MB"


if __name__ == "__main__":
    main()
