#!/usr/bin/env bash
# Every test and check of the project, quick ones first. `make test` calls it after installing what
# is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS

step() { printf '\n== %s (%d s)\n' "$1" $((SECONDS - started)); }

step "format and linters"
scripts/style.sh check

step "release build"
scripts/build.sh release -DROWBOT_TESTS=ON

step "tests"
ctest --preset release -j "$(nproc)" --no-tests=error

step "the page"
scripts/test_page.sh

step "build with address and undefined-behaviour sanitizers, and of the fuzzers"
scripts/build.sh asan-ubsan

step "tests under sanitizers"
ROWBOT_GAMES=20000 ctest --preset asan-ubsan -j "$(nproc)" --no-tests=error

step "threads under the thread sanitizer"
# A test that is about threads has the word in its name.
ROWBOT_TARGETS="agents_test experiments_test learn_test matches_test server_test solver_test store_test table_test" scripts/build.sh tsan
ctest --preset tsan -j "$(nproc)" --no-tests=error -R Thread

step "fuzzers"
ROWBOT_FUZZ_SECONDS=5 scripts/fuzz.sh 20000

step "clang-tidy"
scripts/tidy.py

step "all checks passed"
