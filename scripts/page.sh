#!/usr/bin/env bash
# Builds the page into web/dist: fetches its packages, then runs Vite.
# With nothing changed since the last time it takes a fraction of a second and needs no network.
set -euo pipefail
cd "$(dirname "$0")/.."

inputs=(web/package-lock.json web/index.html web/vite.config.ts web/tsconfig.json web/src web/public)
stamp=build/page.stamp
now=$(find "${inputs[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
if [ -f web/dist/index.html ] && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then exit 0; fi

if ! command -v npm >/dev/null; then
  echo "page.sh: npm is missing: run scripts/packages.sh run" >&2
  exit 1
fi
scripts/page_packages.sh

log=build/page.log
mkdir -p build
if ! (cd web && npm run --silent build) >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
echo "$now" >"$stamp"
