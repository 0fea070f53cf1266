#!/usr/bin/env bash
# Makes build/sysroot-ARCH: Debian's libraries and headers for another processor, unpacked into a
# folder of their own. Nothing of this machine's packages changes: two architectures of one -dev
# package do not always agree to be installed together.
#   scripts/sysroot.sh arm64
# The packages come from the sources that apt on this machine is configured for.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=${1:-}
case "$arch" in
  arm64) triplet=aarch64-linux-gnu ;;
  *)
    echo "usage: scripts/sysroot.sh arm64" >&2
    exit 2
    ;;
esac
root=$PWD/build/sysroot-$arch
apt=$PWD/build/apt-$arch

# The same libraries as for this machine, without the tools; and the test libraries.
mapfile -t wanted < <(scripts/packages.sh list-libraries)
# The compiler's own C library is for linking; the programs run with this one.
wanted+=(libc6-dev libstdc++-12-dev linux-libc-dev)
stamp="$(printf '%s\n' "${wanted[@]}" | sha256sum) $(sha256sum <"$0")"
[ "$(cat "$root/.stamp" 2>/dev/null)" = "$stamp" ] && exit 0

rm -rf "$root" "$apt"
mkdir -p "$root/usr" "$apt"/{lists/partial,archives/partial}
: >"$apt/status"
private_apt() {
  apt-get -q -o APT::Architecture="$arch" -o APT::Architectures::="$arch" \
    -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
    -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" \
    -o APT::Sandbox::User="" -o Debug::NoLocking=1 -o Binary::apt-get::APT::Keep-Downloaded-Packages=1 \
    -o APT::Install-Recommends=0 "$@"
}
log=build/sysroot-$arch.log
echo "Fetching the libraries for $arch"
if ! { private_apt update && private_apt install --yes --download-only "${wanted[@]}"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  echo "sysroot.sh: the packages for $arch could not be fetched; $log tells more" >&2
  exit 1
fi

# /lib is a link to /usr/lib on every Debian 12, and some packages still name the former.
for name in bin lib sbin; do
  mkdir "$root/usr/$name"
  ln -s "usr/$name" "$root/$name"
done
# The database of packages names every file with the folder's path, so that dpkg-shlibdeps, told to
# look there, finds which package a library is from and which version of it is needed.
database=$root/var/lib/dpkg
mkdir -p "$database"/{info,updates}
echo 1 >"$database/info/format"
for package in "$apt"/archives/*.deb; do
  dpkg-deb --raw-extract "$package" "$apt/one"
  name=$(sed -n 's/^Package: //p' "$apt/one/DEBIAN/control")
  grep -q '^Multi-Arch: same' "$apt/one/DEBIAN/control" && name=$name:$arch
  { sed '/^Package: /a Status: install ok installed' "$apt/one/DEBIAN/control"; echo; } >>"$database/status"
  for file in symbols shlibs; do
    [ ! -f "$apt/one/DEBIAN/$file" ] || mv "$apt/one/DEBIAN/$file" "$database/info/$name.$file"
  done
  rm -r "$apt/one/DEBIAN"
  (cd "$apt/one" && find . ! -name . | sed "s,^\./\(bin\|lib\|sbin\)/,./usr/\1/,; s,^\.,$root,") \
    >"$database/info/$name.list"
  tar -c -C "$apt/one" . | tar -x -C "$root" --keep-directory-symlink --no-same-owner
  rm -r "$apt/one"
done

# What the maintainer scripts would have chosen among alternatives.
ln -sf blas/libblas.so.3 lapack/liblapack.so.3 "$root/usr/lib/$triplet/"
# Links that begin with / lead out of the folder.
find "$root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
  target=$(readlink "$link")
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root$target")" "$link"
done
rm -rf "$apt"
echo "$stamp" >"$root/.stamp"
