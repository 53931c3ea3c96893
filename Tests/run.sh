#!/bin/bash
# Runs all tests; arguments go to `swift test`. Needs git and the Swift toolchain, installs the rest.
#
# --postgres MAJOR: on PostgreSQL of this version (15 to 18), fetched if it is not installed; skips them
# where it cannot be had, unless CI=true.
#
# REMODEL_CASES=all: slow tests run with all cases, in place of a sample of them.
# REMODEL_SEED=NUMBER: the sample of the run that printed this number.
# REMODEL_TESTS_INSTALLED=1: everything is installed, and nothing is looked for.
# REMODEL_TESTS_BUILT=1: the tests are built as they are, and nothing is built again.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = --postgres ]; then
  export REMODEL_TESTS_POSTGRES=${2:?"which version of PostgreSQL?"}
  shift 2
fi

[ -n "${REMODEL_TESTS_INSTALLED:-}" ] || Tests/install-dependencies.sh

if [ -n "${REMODEL_TESTS_POSTGRES:-}" ]; then
  if ! REMODEL_TEST_POSTGRES_BIN=$(Tests/postgresql.sh "$REMODEL_TESTS_POSTGRES"); then
    [ "${CI:-}" != true ] || exit 1
    echo "Skipped: tests on PostgreSQL $REMODEL_TESTS_POSTGRES"
    exit 0
  fi
  export REMODEL_TEST_POSTGRES_BIN
fi

server=$(command -v "${REMODEL_TEST_POSTGRES_BIN:+$REMODEL_TEST_POSTGRES_BIN/}postgres" ||
  compgen -G '/usr/lib/postgresql/*/bin/postgres' | sort --version-sort | tail -n 1)
"$server" --version
# Debian's psql in front of the server's own is a script that takes three times as long to start.
PATH=$(dirname "$(readlink -f "$server")"):$PATH
export PATH

# A server that does not start fails the tests that need one; without this they are skipped.
export REMODEL_TESTS_REQUIRE_SERVER=1

# Debug information is a third of the build's time, and a run that nobody attaches to does not need it.
build=(--build-tests --explicit-target-dependency-import-check error)
[ "${CI:-}" != true ] || build+=(-debug-info-format none)
[ -n "${REMODEL_TESTS_BUILT:-}" ] || swift build "${build[@]}"

# What failed is said once more at the end, where a log of this length is looked at first.
log=$(mktemp)
temporary=("$log")
trap 'rm -rf "${temporary[@]}"' EXIT

# Databases are created and dropped by the thousand, which takes a third of the time on a disk.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] &&
  [ "$(df --output=avail -B 1G /dev/shm | tail -n 1)" -ge 8 ]; then
  TMPDIR=$(mktemp -d /dev/shm/remodel.XXXXXX)
  export TMPDIR
  temporary+=("$TMPDIR")
  # Servers run as another user where this is root's shell.
  chmod 1777 "$TMPDIR"
fi

# All tests at once would keep each other from ending in time.
if ! swift test --skip-build --experimental-maximum-parallelization-width 16 "$@" 2>&1 | tee "$log"; then
  printf '\nWhat failed:\n'
  grep --text -E -A 3 '^✘' "$log" | grep --text -E '^(✘|↳)' | cut -c 1-2000 || true
  exit 1
fi
