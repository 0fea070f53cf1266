#!/usr/bin/env bash
# Configures and builds one preset, quietly unless it fails.
#   scripts/build.sh release [cmake options]
# ROWBOT_TARGETS names the targets to build, all by default.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
log=build/$preset.log
mkdir -p build
# The page goes into the program. Without the script, or when it fails, a plain page takes its place.
if { [ "$preset" = release ] || [ "$preset" = arm64 ]; } && [ -x scripts/page.sh ]; then
  scripts/page.sh || echo "build.sh: the page was not built; the program will say so" >&2
fi
if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
cmake --build --preset "$preset" ${ROWBOT_TARGETS:+--target $ROWBOT_TARGETS} -- --quiet
