#!/usr/bin/env bash
# Formatters and quick linters of every language but clang-tidy.
#   scripts/style.sh check   fails when something would be changed or is wrong
#   scripts/style.sh write   formats in place
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t cxx < <(git ls-files '*.h' '*.cc')
mapfile -t python < <(git ls-files '*.py')
mapfile -t shell < <(git ls-files '*.sh' packaging/debian/postinst packaging/debian/postrm packaging/debian/prerm)
scripts/page_packages.sh

case "${1:-}" in
  check)
    clang-format --dry-run -Werror "${cxx[@]}"
    black --check --quiet "${python[@]}" || { black --check "${python[@]}"; exit 1; }
    pyflakes3 "${python[@]}"
    shellcheck --severity=warning "${shell[@]}"
    npm --prefix web run --silent lint
    ;;
  write)
    clang-format -i "${cxx[@]}"
    black --quiet "${python[@]}"
    npm --prefix web run --silent format
    ;;
  *)
    echo "usage: scripts/style.sh check|write" >&2
    exit 2
    ;;
esac
