#!/usr/bin/env bash
# Puts the page's npm packages into web/node_modules, exactly those of web/package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/../web"

stamp=node_modules/.rowbot-lock
cmp -s package-lock.json "$stamp" && exit 0

major=$(node -p 'process.versions.node.split(".")[0]')
if [ "$major" -lt 18 ]; then
  echo "page_packages.sh: Node.js 18 or newer is needed, this is $(node --version)" >&2
  exit 1
fi
echo "Fetching the page's packages"
log=../build/page_packages.log
mkdir -p ../build
# No package of ours needs to run a program of its own at installation.
if ! npm ci --ignore-scripts --prefer-offline >"$log" 2>&1; then
  cat "$log" >&2
  echo "page_packages.sh: the page's packages could not be fetched. The first build needs a" >&2
  echo "network that reaches the npm registry (npm config get registry); later ones do not." >&2
  exit 1
fi
cp package-lock.json "$stamp"
