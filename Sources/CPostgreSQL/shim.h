#pragma once

#include <libpq-fe.h>
#include <poll.h>
#include <stddef.h>

// Character macros do not import into Swift; an enumeration does.
enum remodel_diagnostic_field {
  REMODEL_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED,
  REMODEL_DIAG_SQLSTATE = PG_DIAG_SQLSTATE,
  REMODEL_DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY,
  REMODEL_DIAG_MESSAGE_DETAIL = PG_DIAG_MESSAGE_DETAIL,
  REMODEL_DIAG_MESSAGE_HINT = PG_DIAG_MESSAGE_HINT,
  REMODEL_DIAG_CONTEXT = PG_DIAG_CONTEXT,
  REMODEL_DIAG_SCHEMA_NAME = PG_DIAG_SCHEMA_NAME,
  REMODEL_DIAG_TABLE_NAME = PG_DIAG_TABLE_NAME,
  REMODEL_DIAG_COLUMN_NAME = PG_DIAG_COLUMN_NAME,
  REMODEL_DIAG_CONSTRAINT_NAME = PG_DIAG_CONSTRAINT_NAME
};

// Waits until a socket can be read or written, or until the time is over.
// Returns the number of ready sockets: 0 when the time is over.
static inline int remodel_wait_for_socket(int socket, int forWriting, int milliseconds) {
  struct pollfd descriptor = {.fd = socket, .events = forWriting ? POLLOUT : POLLIN};
  return poll(&descriptor, 1, milliseconds);
}

// Pauses this thread.
static inline void remodel_pause(int milliseconds) { poll(NULL, 0, milliseconds); }
