#!/usr/bin/env python3
"""Looks into an object file that was compiled for newer processors: it may define nothing that the
linker could use in place of another file's copy, or the program would stop on older machines.

usage: isolation_check.py OBJECT_FILE WORD
Every function it defines for others must have WORD in its name, in capitals or not; data is the same
for all processors.
"""

import subprocess
import sys


def main() -> int:
    object_file, word = sys.argv[1:]
    listing = subprocess.run(
        ["nm", "-C", "--defined-only", "--extern-only", object_file], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(maxsplit=2) for line in listing.splitlines() if line.strip()]
    symbols = [name for _, kind, name in rows if kind in "TWi"]
    strangers = [symbol for symbol in symbols if word.lower() not in symbol.lower()]
    for symbol in strangers:
        print(f"{object_file} defines {symbol}, which other files may define too", file=sys.stderr)
    if not symbols:
        print(f"{object_file} defines nothing: is it the right file?", file=sys.stderr)
    return 1 if strangers or not symbols else 0


if __name__ == "__main__":
    sys.exit(main())
