#!/usr/bin/env bash
# Runs every fuzzer of build/fuzz for a number of executions, from its seeds, with a fixed seed.
#   scripts/fuzz.sh RUNS [NAME...]
# ROWBOT_FUZZ_SECONDS ends each fuzzer after that time at the latest; pictures are slow to read.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:?usage: scripts/fuzz.sh RUNS [NAME...]}
shift
names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd build/fuzz/bin && ls fuzz_*)
for name in "${names[@]}"; do
  # What a run discovers stays in the build folder; the seeds in the repository are only read.
  found=build/fuzz/corpus/$name
  mkdir -p "$found"
  seeds=fuzz/seeds/${name#fuzz_}
  log=build/fuzz/$name.log
  if ! build/fuzz/bin/"$name" -seed=1 -runs="$runs" -max_len=2000 \
    -max_total_time="${ROWBOT_FUZZ_SECONDS:-0}" -artifact_prefix="build/fuzz/$name-" \
    "$found" $([ -d "$seeds" ] && echo "$seeds") >"$log" 2>&1; then
    tail -40 "$log" >&2
    echo "$name: a finding; the input is in build/fuzz/$name-*" >&2
    exit 1
  fi
  echo "$name: $(grep -o 'Done [0-9]* runs in [0-9]* second' "$log")s, no finding"
done
