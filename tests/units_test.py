#!/usr/bin/env python3
"""The packaged services: how exposed systemd rates them, and that they work under their restrictions.

usage: units_test.py PATH_TO_ROWBOT
Rates where systemd-analyze is there; runs both services under a systemd of their own (scripts/test_units.sh) where
root may make one. Exits 77 (skipped) where neither can be had.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
MOST = {"rowbot.service": 1.5, "rowbot-table.service": 2.5}
SKIPPED = 77


def main():
    rowbot = sys.argv[1]
    if not shutil.which("systemd-analyze"):
        print("there is no systemd-analyze: nothing was tried")
        raise SystemExit(SKIPPED)
    for unit, most in MOST.items():
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager", TREE / "packaging" / unit],
            capture_output=True,
            text=True,
            timeout=60,
        )
        found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
        assert found, done.stdout + done.stderr
        print(f"{unit}: exposure {found.group(1)}, at most {most}")
        assert float(found.group(1)) <= most, f"{unit} is too exposed"
    done = subprocess.run([TREE / "scripts" / "test_units.sh", rowbot], timeout=400)
    assert done.returncode in (0, SKIPPED), f"test_units.sh exits {done.returncode}"


if __name__ == "__main__":
    main()
