#!/usr/bin/env bash
# Installs, upgrades, removes and purges the package of this machine's architecture in a clean Debian 12 of
# its own under build/, and plays and serves from it. Wants root, and the packages of `make deb`.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then
  echo "test_deb.sh: a system of its own needs root: run this as root or with sudo" >&2
  exit 1
fi
arch=$(dpkg --print-architecture)
package=$(ls build/deb/rowbot_*_"$arch".deb 2>/dev/null | tail -1)
if [ -z "$package" ]; then
  echo "test_deb.sh: there is no build/deb/rowbot_*_$arch.deb: run make deb" >&2
  exit 1
fi
base=$PWD/build/chroot-bookworm.tar
root=$PWD/build/chroot

# The sources of this machine's own apt, so that a local mirror is used where there is one.
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(CODENAME)' 'Identifier: Packages' |
  awk '$4 ~ /^bookworm/ {print "deb " $1 " " $4 " " $3}' | sort -u)
mirror=$(awk '$3 == "bookworm" {print $2; exit}' <<<"$sources")
if [ ! -f "$base" ]; then
  echo "Making a clean Debian 12"
  rm -rf "$root"
  log=build/debootstrap.log
  if ! debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$log" 2>&1; then
    tail -20 "$log" >&2
    exit 1
  fi
  [ -z "$sources" ] || echo "$sources" >"$root/etc/apt/sources.list"
  tar -c -C "$root" . >"$base.part" && mv "$base.part" "$base"
fi
rm -rf "$root"
mkdir "$root"
tar -x -C "$root" -f "$base"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# No service may start in there; there is no systemd to ask.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
# The page is asked for with this machine's tool: the clean system gets nothing but the package.
cp "$package" "$root/new.deb"

# The same package as an older version, with another default in a file of its configuration.
old=$PWD/build/deb-old
rm -rf "$old"
dpkg-deb --raw-extract "$package" "$old"
sed -i 's/^Version: .*/Version: 0.0.1-1/' "$old/DEBIAN/control"
echo "# a line that the new version has no more" >>"$old/etc/rowbot/table.toml"
(cd "$old" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$old" "$root/old.deb" >/dev/null
rm -rf "$old"

# In namespaces of its own: whatever runs in there ends with it.
inside() { unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" chroot "$root" \
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
quietly() { "$@" >"$root.log" 2>&1 || { tail -30 "$root.log" >&2; fail "$* failed"; }; }
fail() {
  echo "test_deb.sh: $*" >&2
  exit 1
}
must() { # must 'what' command...: the command succeeds
  local what=$1
  shift
  "$@" >/dev/null 2>&1 || fail "not so: $what"
  echo "  $what"
}
must_not() {
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then fail "not so: $what"; fi
  echo "  $what"
}

echo "Install"
started=$SECONDS
quietly inside apt-get update -qq
quietly inside apt-get install -y -qq --no-install-recommends ./old.deb
echo "  took $((SECONDS - started)) s with $(inside dpkg-query -f '.\n' -W | wc -l) packages in the system"
must "the program says its version" inside rowbot --version
must "there is a user of its own" inside getent passwd rowbot
must "its data are its own" test "$(inside stat -c '%U %a' /var/lib/rowbot)" = "rowbot 750"
must "the website's service is enabled" test -L "$root/etc/systemd/system/multi-user.target.wants/rowbot.service"
must_not "the table's service waits to be enabled" test -e "$root/etc/systemd/system/multi-user.target.wants/rowbot-table.service"
must "there is a manual page" test -f "$root/usr/share/man/man1/rowbot.1.gz"
must "bash completes commands" inside bash -c '
  . /usr/share/bash-completion/completions/rowbot
  COMP_WORDS=(rowbot se) COMP_CWORD=1 && _rowbot && [ "${COMPREPLY[*]}" = "serve see" ] &&
  COMP_WORDS=(rowbot arm dr) COMP_CWORD=2 && _rowbot && [ "${COMPREPLY[*]}" = "drop drops" ] &&
  COMP_WORDS=(rowbot serve --po) COMP_CWORD=2 && _rowbot && [ "${COMPREPLY[*]}" = --port ]'

echo "Upgrade"
echo "ROWBOT_PORT=8099" >>"$root/etc/rowbot/website.conf"
inside su -s /bin/sh rowbot -c 'echo kept >/var/lib/rowbot/mine'
ln -s /lib/systemd/system/rowbot-table.service "$root/etc/systemd/system/multi-user.target.wants/"
started=$(date +%s%N)
quietly inside apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold ./new.deb
version=$(dpkg-deb -f "$package" Version)
must "the new version is installed" test "$(inside dpkg-query -f '${Version}' -W rowbot)" = "$version"
must "a changed file of the configuration is kept" grep -q 8099 "$root/etc/rowbot/website.conf"
must_not "an unchanged one is replaced" grep -q "no more" "$root/etc/rowbot/table.toml"
must "data are kept" grep -q kept "$root/var/lib/rowbot/mine"
must "a service that somebody enabled stays enabled" test -L "$root/etc/systemd/system/multi-user.target.wants/rowbot-table.service"

echo "Serve and play, as the service does"
inside su -s /bin/sh rowbot -c \
  '. /etc/rowbot/website.conf && exec rowbot serve --host $ROWBOT_HOST --port $ROWBOT_PORT --db /var/lib/rowbot/rowbot.db $ROWBOT_OPTIONS' \
  >"$root.serve.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
page=$root.page
until curl -sf --compressed -o "$page" http://127.0.0.1:8099/; do
  [ $((($(date +%s%N) - started) / 1000000000)) -lt 60 ] || fail "no page after 60 s: $(cat "$root.serve.log")"
  kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$root.serve.log")"
  sleep 0.1
done
took_ms=$((($(date +%s%N) - started) / 1000000))
echo "  the page answered $took_ms ms after the installation began"
must "it is the real page" grep -qi 'script' "$page"
kill "$server"
wait "$server" 2>/dev/null || true
trap - EXIT
must "the games' database is there" test -s "$root/var/lib/rowbot/rowbot.db"
inside rowbot play --first random --second forward --seed 7 >"$root.play"
must "a game is played to its end" grep -q 'wins in\|draw' "$root.play"
tail -1 "$root.play" | sed 's/^/  /'
inside rowbot doctor --config /etc/rowbot/table.toml >"$root.doctor" 2>&1 && fail "the doctor sees a PCA9685 where there is none"
must "the doctor reads the table's file and misses its wires" grep -q 'i2c' "$root.doctor"

echo "Remove"
quietly inside apt-get remove -y -qq rowbot
must_not "the program is gone" test -e "$root/usr/bin/rowbot"
must "configuration and data are still there" test -f "$root/etc/rowbot/website.conf" -a -f "$root/var/lib/rowbot/rowbot.db"

echo "Purge"
quietly inside apt-get purge -y -qq rowbot
must_not "data are gone" test -e "$root/var/lib/rowbot"
must_not "configuration is gone" test -e "$root/etc/rowbot"
must_not "the user is gone" inside getent passwd rowbot
must_not "nothing is left of the services" sh -c "find $root/etc/systemd $root/var/lib/systemd | grep rowbot"

echo "Install again"
quietly inside apt-get install -y -qq --no-install-recommends ./new.deb
must "the program says its version" inside rowbot --version
rm -rf "$root" "$root".*
echo "The package passed."
