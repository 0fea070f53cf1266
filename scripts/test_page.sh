#!/usr/bin/env bash
# The page's tests: types, logic, and a real browser on the real server.
#   scripts/test_page.sh [path of the rowbot program]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-build/release/bin/rowbot}")

scripts/page_packages.sh
cd web
npm run --silent check
npm run --silent test
ROWBOT=$program npm run --silent e2e
