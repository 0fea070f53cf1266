#!/usr/bin/env bash
# Runs every fuzzer of build/asan-ubsan for a number of executions, from its seeds, with a fixed
# seed, as many at a time as there are cores.
#   scripts/fuzz.sh RUNS [NAME...]
# ROWBOT_FUZZ_SECONDS ends each fuzzer after that time at the latest; pictures are slow to read.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:?usage: scripts/fuzz.sh RUNS [NAME...]}
shift
names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd build/asan-ubsan/bin && ls fuzz_*)

fuzz() {
  local name=$1 runs=$2
  # What a run discovers stays in the build folder; the seeds in the repository are only read.
  local work=build/asan-ubsan/fuzz/$name seeds=fuzz/seeds/${1#fuzz_}
  local folders=("$work/corpus")
  [ -d "$seeds" ] && folders+=("$seeds")
  mkdir -p "$work/corpus"
  if ! build/asan-ubsan/bin/"$name" -seed=1 -runs="$runs" -max_len=2000 \
    -max_total_time="${ROWBOT_FUZZ_SECONDS:-0}" -artifact_prefix="$work/finding-" \
    "${folders[@]}" >"$work/log" 2>&1; then
    tail -40 "$work/log" >&2
    echo "$name: a finding; the input is in $work/finding-*" >&2
    return 1
  fi
  echo "$name: $(grep -o 'Done [0-9]* runs in [0-9]* second' "$work/log")s, no finding"
}
export -f fuzz
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$@"' _ {} "$runs"
