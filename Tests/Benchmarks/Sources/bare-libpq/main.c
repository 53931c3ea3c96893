#include <stdio.h>
#include <libpq-fe.h>

// Connects to the URL that is its argument and runs one query.
int main(int argc, char **argv) {
  if (argc != 2) return 64;
  PGconn *connection = PQconnectdb(argv[1]);
  if (PQstatus(connection) != CONNECTION_OK) {
    fputs(PQerrorMessage(connection), stderr);
    return 6;
  }
  PGresult *result = PQexec(connection, "SELECT 1");
  int status = PQresultStatus(result) == PGRES_TUPLES_OK ? 0 : 1;
  PQclear(result);
  PQfinish(connection);
  return status;
}
