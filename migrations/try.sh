#!/bin/bash
# Migrates the sample beside this script on a throwaway server. Needs git and the Swift toolchain,
# installs and builds the rest.
# Commands are shown as they are typed, so their variables are expanded later.
# shellcheck disable=SC2016
set -euo pipefail
cd "$(dirname "$0")/.."

Tests/install-dependencies.sh
swift build --product remodel
PATH=$(swift build --show-bin-path):$PATH

# The sample is not for the database that your environment names.
unset "${!REMODEL_@}"
export PAGER=cat PSQLRC=/dev/null

messages=$(mktemp)
stop() {
  eval "$(sed -n 's/^Stop it with: //p' "$messages")"
  rm -f "$messages"
}
trap stop EXIT

# Shows a command as one types it, then what it prints.
try() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

# What a user would type, from here on.

try 'remodel migrate --keep-scratch --to 1' 2>&1 | tee "$messages"
DATABASE_URL=$(sed -n 's/^The throwaway server stays: //p' "$messages")
export DATABASE_URL

try 'psql "$DATABASE_URL" --quiet --set ON_ERROR_STOP=1 --file migrations/rows.sql'
try 'remodel status'
try 'remodel plan'
try 'remodel migrate'
try 'remodel check'
try 'remodel status'
try 'remodel history'

# The rows are there, and what the mapping models made of them. So are the tables as they were in
# version 2, until they are cleaned up.
try 'psql "$DATABASE_URL" --command "SELECT _id, title, price, pages, owner, file FROM book"'
try 'psql "$DATABASE_URL" --command "SELECT _id, full_name, display_name FROM \"user\""'
try 'psql "$DATABASE_URL" --command "SELECT b.title, a.name FROM author_books l
  JOIN book b ON b._id = l.books JOIN author a ON a._id = l.authors"'
try 'psql "$DATABASE_URL" --command "SELECT * FROM file"'
try 'psql "$DATABASE_URL" --command "SELECT * FROM remodel.retained"'
