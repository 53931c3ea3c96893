#!/bin/sh
# Brings the database to the current model version, then becomes the service:
#
#   ENTRYPOINT ["remodel-entrypoint"]
#   CMD ["my-service", "--port", "8080"]
#
# REMODEL_ENTRYPOINT_MODE  migrate (default), or wait: until another container has migrated
# REMODEL_WAIT             how long to wait for the server, or for the migration (60s)
# NAME_FILE                a file that holds NAME (see `secrets`)
#
# remodel itself reads DATABASE_URL, REMODEL_* and PG*. Its exit code is passed on.
set -eu

secrets='REMODEL_DATABASE_URL DATABASE_URL PGHOST PGPORT PGDATABASE PGUSER PGPASSWORD'

usage_error() {
  printf 'remodel-entrypoint: error: %s\n' "$1" >&2
  exit 64
}

read_secrets() {
  for name in $secrets; do
    eval "file=\${${name}_FILE:-} value=\${$name:-}"
    [ -n "$file" ] || continue
    [ -z "$value" ] || usage_error "both $name and ${name}_FILE are set"
    value=$(cat -- "$file") || usage_error "could not read ${name}_FILE"
    [ -n "$value" ] || usage_error "file \"$file\" named by ${name}_FILE is empty"
    export "$name=$value"
  done
}

become_remodel() {
  read_secrets
  export REMODEL_WAIT="${REMODEL_WAIT:-60s}"
  case ${REMODEL_ENTRYPOINT_MODE:-migrate} in
    migrate) exec remodel migrate --wait "$REMODEL_WAIT" ;;
    wait) exec remodel check --until-current "$REMODEL_WAIT" ;;
    *) usage_error 'REMODEL_ENTRYPOINT_MODE is neither "migrate" nor "wait"' ;;
  esac
}

[ $# -gt 0 ] || become_remodel

# In the background, because a shell that is process 1 neither dies of a signal nor passes it on.
# In a process of its own, because the secrets that were read are not the service's.
child=
caught=
forward() {
  caught=$1
  [ -z "$child" ] || kill -s "$1" "$child" 2>/dev/null || :
}
trap 'forward HUP' HUP
trap 'forward INT' INT
trap 'forward QUIT' QUIT
trap 'forward TERM' TERM

become_remodel &
child=$!
[ -z "$caught" ] || forward "$caught"

status=0
wait "$child" || status=$?
# A signal ends `wait` early: only when the process has gone is the status its own.
while kill -0 "$child" 2>/dev/null; do
  status=0
  wait "$child" || status=$?
done
[ "$status" -eq 0 ] || exit "$status"

# Asked to stop when remodel had just finished: the service does not start.
case $caught in
  HUP) exit 129 ;;
  INT) exit 130 ;;
  QUIT) exit 131 ;;
  TERM) exit 143 ;;
esac

exec "$@"
