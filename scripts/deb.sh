#!/usr/bin/env bash
# Makes the Debian packages of one architecture into build/deb and lets lintian judge them.
#   scripts/deb.sh amd64|arm64
set -euo pipefail
cd "$(dirname "$0")/.."
arch=${1:-}
case "$arch" in
  amd64)
    preset=release
    if [ "$(dpkg --print-architecture)" != amd64 ]; then
      echo "deb.sh: this machine is $(dpkg --print-architecture); it makes packages for itself with 'cpack'" >&2
      exit 1
    fi
    ;;
  arm64)
    preset=arm64
    scripts/sysroot.sh arm64
    # dpkg-shlibdeps asks for the packages of the unpacked libraries, not of this machine's.
    export DEB_HOST_ARCH=arm64 DPKG_ADMINDIR=$PWD/build/sysroot-arm64/var/lib/dpkg
    ;;
  *)
    echo "usage: scripts/deb.sh amd64|arm64" >&2
    exit 2
    ;;
esac
ROWBOT_TARGETS="rowbot rowbot-mpi package_files" scripts/build.sh "$preset" -DROWBOT_TESTS="${ROWBOT_TESTS:-OFF}"

mkdir -p build/deb
rm -f build/deb/*_"$arch".deb
log=build/deb-$arch.log
# The umask decides how folders end up in the package.
if ! (umask 022 && cd "build/$preset" && cpack -B "$PWD/package/out") >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
mv "build/$preset"/package/out/*.deb build/deb/
for package in build/deb/*_"$arch".deb; do
  echo "$package: $(stat -c %s "$package") bytes"
  unset DPKG_ADMINDIR
  lintian --fail-on error,warning "$package"
done
