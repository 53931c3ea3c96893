extension SQLFragment {
  /// The search path of sessions and functions that look nothing up where users make things: without
  /// `pg_temp` at its end, temporary tables would hide those of `pg_catalog`.
  public static var catalogPath: SQLFragment { "pg_catalog, pg_temp" }
}
