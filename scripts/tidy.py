#!/usr/bin/env python3
"""clang-tidy over every room, a whole room at a time: headers, which take most of the time, are
read once for all of its files. Needs the asan-ubsan build's compile commands. A room is looked at
again only when one of its files, a header or the configuration has changed.

  scripts/tidy.py [--deep] [--apps]
    --deep   with the static analyzer, which takes longer than all other checks together
    --apps   the command line too, from the release build
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "tidy"
DROPPED = re.compile(r"-fsanitize|-fno-sanitize|-fno-omit-frame-pointer|-f?use-ld")


def flags_of(entry):
    """The compiler's options that clang-tidy needs: no compiler, files or sanitizers."""
    flags, words = [], iter(shlex.split(entry["command"]))
    for word in words:
        if word in ("-o", "-MT", "-MF"):
            next(words)
        elif word in ("-isystem", "-include"):
            flags += [word, next(words)]
        elif word.startswith("-") and word not in ("-c", "-MD") and not DROPPED.match(word):
            flags.append(word)
    return flags


def units_of(preset, folder, target):
    """Each unit of a folder's targets: a name, the files in it, the compiler's options."""
    for entry in json.loads((ROOT / f"build/{preset}/compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        batch = re.search(rf"/{folder}/.*CMakeFiles/({target})\.dir/Unity/unity_(\d+)", str(path))
        if batch:
            files = re.findall(r'#include "(.*)"', path.read_text())
            yield f"{batch[1]}-{batch[2]}", [pathlib.Path(f) for f in files], flags_of(entry)
        elif path.is_relative_to(ROOT / folder) and not path.stem.endswith(("_test", "_bench")):
            yield path.stem, [path], flags_of(entry)


def units(apps):
    yield from units_of("asan-ubsan", "src", r"rowbot_\w+")
    if apps:
        yield from units_of("release", "apps", r"rowbot[-\w]*")


def common_hash():
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    headers = subprocess.run(
        ["git", "ls-files", "*.h"], cwd=ROOT, check=True, text=True, capture_output=True
    ).stdout.split()
    for header in sorted(headers):
        digest.update((ROOT / header).read_bytes())
    return digest.hexdigest()


def check(unit, common, options):
    name, files, flags = unit
    # One file with the text of all, so that every check takes it for the main file.
    text = "".join(f'#line 1 "{f}"\n{f.read_text()}\n' for f in files)
    source = WORK / f"{name}.cc"
    stamp = WORK / f"{name}.passed"
    key = hashlib.sha256((common + text + " ".join(options + flags)).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == key:
        return True
    source.write_text(text)
    done = subprocess.run(
        [
            "clang-tidy",
            "--quiet",
            f"--config-file={ROOT / '.clang-tidy'}",
            *options,
            str(source),
            "--",
            *flags,
            "-Wno-unknown-warning-option",
        ],
        cwd=ROOT,
        text=True,
        capture_output=True,
    )
    if done.returncode == 0:
        stamp.write_text(key)
    else:
        sys.stderr.write(f"clang-tidy, {name}:\n{done.stdout}{done.stderr[-2000:]}\n")
    return done.returncode == 0


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    common = common_hash()
    options = [] if "--deep" in sys.argv[1:] else ["--checks=-clang-analyzer-*"]
    todo = sorted(units("--apps" in sys.argv[1:]), key=lambda u: -len(u[1]))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda unit: check(unit, common, options), todo))
    print(f"{sum(passed)} of {len(passed)} units clean")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
