#!/usr/bin/env bash
# Builds everything for a 64-bit Raspberry Pi and runs the unit tests and the signatures of the
# benchmarks in an emulator, then compares what both processors' programs answer. Slow: an emulated
# processor is ten to thirty times slower.
#   scripts/test_arm64.sh [ctest options, for example -L solver]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/sysroot.sh arm64
scripts/build.sh arm64 -DROWBOT_TESTS=ON

# Mesa's renderer that writes machine code as it runs crashes in the emulator; the plain one does not.
export GALLIUM_DRIVER=softpipe
# Left out: whole games with a camera, thousands of pictures of a second each with that renderer; and a
# limit of memory, which the emulator does not pass on to the system.
ctest --preset arm64 -j "$(nproc)" --no-tests=error --timeout 3000 \
  -E '^rehearsal\.|Memory.IsNoMoreThanTheProcessMayTake' "$@"

# The same questions, the same answers: moves, counts of positions, scores, lines.
without_times() { sed 's/"\(elapsed\|ms\|seconds\|microseconds\|thinking\)[a-z_]*":[^,}]*//g'; }
run_arm64() { qemu-aarch64 -L build/sysroot-arm64 build/arm64/bin/rowbot "$@"; }
if [ -x build/release/bin/rowbot ] && [ "$(uname -m)" = x86_64 ]; then
  while read -r question; do
    read -ra words <<<"$question"
    here=$(build/release/bin/rowbot "${words[@]}" | without_times)
    there=$(run_arm64 "${words[@]}" | without_times)
    if [ "$here" != "$there" ]; then
      echo "test_arm64.sh: 'rowbot $question' answers differently on arm64" >&2
      diff <(echo "$here") <(echo "$there") >&2 || true
      exit 1
    fi
    echo "the same on both: rowbot $question"
  done <<'QUESTIONS'
--version
perft 8
show 4453 --json
solve 45457644225526 --no-book --threads 1 --table-mb 64 --json
play --first random --second forward --seed 7
play --first mcts:sims=2000 --second mcts:preset=hybrid,sims=500 --seed 7
arm ik --robot panda 0.5 0 0.3
arm plan --robot eezybot --column 4
QUESTIONS
fi
