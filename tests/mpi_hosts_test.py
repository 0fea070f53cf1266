#!/usr/bin/env python3
"""A match on three hosts gives what one machine gives. The hosts are network namespaces of this
machine, joined by a bridge; mpirun reaches them through its rsh agent.

usage: mpi_hosts_test.py PATH_TO_ROWBOT PATH_TO_ROWBOT_MPI
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROWBOT = ""
ROWBOT_MPI = ""
HOSTS = ("a", "b", "c")
MATCH = ["match", "mcts:sims=200", "forward", "--games", "60", "--seed", "5", "--json"]


def ip(*arguments):
    return subprocess.run(["ip", *arguments], capture_output=True, text=True)


def reason_to_skip():
    if os.geteuid() != 0:
        return "making network namespaces needs root"
    if not all(map(shutil.which, ("ip", "mpirun", "unshare"))):
        return "ip, unshare or mpirun is not installed"
    probe = f"rowbot{os.getpid()}probe"
    if ip("netns", "add", probe).returncode != 0:
        return "this machine makes no network namespaces"
    ip("netns", "delete", probe)
    return None


class ThreeHosts(unittest.TestCase):
    def setUp(self):
        if reason := reason_to_skip():
            self.skipTest(reason)
        self.prefix = f"rb{os.getpid() % 10000}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # The switch to which all hosts are plugged stands in a namespace too.
        self.switch = self.namespace("switch")
        self.must("-n", self.switch, "link", "add", "bridge", "type", "bridge")
        self.must("-n", self.switch, "link", "set", "bridge", "up")
        self.addresses = {}
        for number, name in enumerate(("head", *HOSTS), start=1):
            host = self.namespace(name)
            self.must(
                "link",
                "add",
                f"{self.prefix}{name}",
                "netns",
                self.switch,
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                host,
            )
            self.must("-n", self.switch, "link", "set", f"{self.prefix}{name}", "master", "bridge", "up")
            self.addresses[name] = f"10.77.0.{number}"
            self.must("-n", host, "address", "add", f"10.77.0.{number}/24", "dev", "eth0")
            self.must("-n", host, "link", "set", "eth0", "up")
            self.must("-n", host, "link", "set", "lo", "up")

    def namespace(self, name):
        full = f"{self.prefix}-{name}"
        self.must("netns", "add", full)
        self.addCleanup(ip, "netns", "delete", full)
        return full

    def must(self, *arguments):
        done = ip(*arguments)
        self.assertEqual(done.returncode, 0, f"ip {arguments}: {done.stderr}")

    def agent(self):
        """What mpirun calls instead of ssh: agent ADDRESS COMMAND..."""
        cases = "".join(f"  {self.addresses[h]}) host={h} ;;\n" for h in HOSTS)
        script = self.folder / "agent"
        script.write_text(
            "#!/bin/sh\naddress=$1; shift\ncase $address in\n" + cases + "esac\n"
            f"exec ip netns exec {self.prefix}-$host unshare --uts "
            'sh -c "hostname $host; $*"\n'
        )
        script.chmod(0o755)
        return str(script)

    def on_hosts(self, *command):
        hosts = ",".join(f"{self.addresses[h]}:1" for h in HOSTS)
        return subprocess.run(
            [
                "ip",
                "netns",
                "exec",
                f"{self.prefix}-head",
                "mpirun",
                "--allow-run-as-root",
                "-n",
                "3",
                "--host",
                hosts,
                "--mca",
                "plm_rsh_agent",
                self.agent(),
                "--mca",
                "btl",
                "tcp,self",
                "--mca",
                "btl_tcp_if_include",
                "10.77.0.0/24",
                "--mca",
                "oob_tcp_if_include",
                "10.77.0.0/24",
                "--mca",
                "mpi_yield_when_idle",
                "1",
                *command,
            ],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.folder,
        )

    def test_ranks_run_on_different_hosts(self):
        done = self.on_hosts("hostname")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(done.stdout.split()), sorted(HOSTS))

    def test_a_match_gives_the_same_bytes_as_on_one_machine(self):
        alone = subprocess.run(
            [ROWBOT, *MATCH, "--db", str(self.folder / "alone.db")], capture_output=True, text=True, timeout=120
        )
        self.assertEqual(alone.returncode, 0, alone.stderr)
        together = self.on_hosts(ROWBOT_MPI, *MATCH, "--db", str(self.folder / "hosts.db"))
        self.assertEqual(together.returncode, 0, together.stderr)
        self.assertEqual(together.stdout, alone.stdout)

    def test_an_experiment_finds_the_same_as_on_one_machine(self):
        alone = str(self.folder / "alone.db")
        together = str(self.folder / "together.db")
        run = ["experiment", "run", "boehm-5.2", "--scale", "0.02", "--db"]
        done = subprocess.run([ROWBOT, *run, alone], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.on_hosts(ROWBOT_MPI, *run, together)
        self.assertEqual(done.returncode, 0, done.stderr)
        reports = []
        for database in (alone, together):
            out = str(self.folder / f"report of {Path(database).name}")
            done = subprocess.run(
                [ROWBOT, "experiment", "report", "boehm-5.2", "--db", database, "--out", out],
                capture_output=True,
                text=True,
                timeout=60,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            for report in (found := json.loads((Path(out) / "report.json").read_text())):
                # The only thing that may differ: how many games were played at the same time.
                report["setting"] = [s for s in report["setting"] if s[0] != "games at a time"]
            reports.append(found)
        self.assertTrue(reports[0])
        self.assertEqual(reports[0], reports[1])


if __name__ == "__main__":
    ROWBOT_MPI = os.path.abspath(sys.argv.pop(2))
    ROWBOT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
