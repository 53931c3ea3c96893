#!/bin/sh
# Brings the database to the current model version, then becomes the service:
#
#   ENTRYPOINT ["tini", "--", "remodel-entrypoint"]
#   CMD ["my-service", "--port", "8080"]
#
# REMODEL_ENTRYPOINT_MODE  migrate (default), or wait: until another container has migrated
# REMODEL_KEEP             previous: releases on the version before go on beside the service
# REMODEL_WAIT             how long to wait for the server, or for the migration (60s)
#
# remodel itself reads DATABASE_URL, DATABASE_URL_FILE, REMODEL_* and PG*. Its exit code is passed on.
set -eu

become_remodel() {
  export REMODEL_WAIT="${REMODEL_WAIT:-60s}"
  case ${REMODEL_ENTRYPOINT_MODE:-migrate} in
    migrate) exec remodel migrate ;;
    wait) exec remodel check --until-current "$REMODEL_WAIT" ;;
    *)
      echo 'remodel-entrypoint: error: REMODEL_ENTRYPOINT_MODE is neither "migrate" nor "wait"' >&2
      exit 64
      ;;
  esac
}

[ $# -gt 0 ] || become_remodel

# In the background, because a shell hands no signal on while it waits for what is in front. What a
# shell starts so ignores SIGINT and SIGQUIT: it gets SIGTERM for any.
child=
caught=
forward() {
  caught=$1
  [ -z "$child" ] || kill -s TERM "$child" 2>/dev/null || :
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
[ "$status" -eq 0 ] || [ "$status" -eq 143 ] || exit "$status"

# Asked to stop, perhaps when remodel had just finished: the service does not start.
case $caught in
  INT) exit 130 ;;
  QUIT) exit 131 ;;
  HUP | TERM) exit 143 ;;
esac
[ "$status" -eq 0 ] || exit "$status"

# Where the database serves several versions, the service finds its own by where it looks names up. Its URL
# may be another one than that of migrations.
options=$(remodel interface --format text)
if [ -n "$options" ]; then
  if [ -n "${DATABASE_URL:-}" ]; then
    DATABASE_URL=$(REMODEL_DATABASE_URL=$DATABASE_URL REMODEL_ROLE='' remodel interface --url --format text)
    export DATABASE_URL
  fi
  name=$(remodel interface --application-name --format text)
  export PGOPTIONS="${PGOPTIONS:+$PGOPTIONS }$options" PGAPPNAME="${PGAPPNAME:+$PGAPPNAME }$name"
fi

exec "$@"
