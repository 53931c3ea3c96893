public import SQLSyntax

extension CopyStatements {
  /// Returns the name of the function that refuses writers of a source.
  func gateFunction(of source: CopySource) -> QualifiedName {
    QualifiedName(
      schema: plan.stagingSchema,
      name: StorageNames.fitted("gate_" + source.table.name)
    )
  }

  /// Returns the statements after whose commit nobody writes to a source.
  ///
  /// A lock would end with its session; this stays, whatever becomes of the server.
  public func gate(of source: CopySource) -> [SQLFragment] {
    let function = gateFunction(of: source)
    let body: SQLFragment = """

      BEGIN
        RAISE EXCEPTION USING ERRCODE = '57M01',
          MESSAGE = format('table "%s" cannot be written to: a migration is in progress', TG_TABLE_NAME),
          HINT = 'Try again when the migration has ended.';
      END

      """
    return [
      """
      CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql
        SET search_path = \(.catalogPath) AS \(body.dollarQuoted)
      """,
      "REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC",
      """
      CREATE TRIGGER \(gateTrigger) BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(name(source))
        FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
      """,
      "ALTER TABLE \(name(source)) ENABLE ALWAYS TRIGGER \(gateTrigger)",
    ]
  }

  /// Returns the statements that undo ``gate(of:)``, whatever there is of it.
  public func gateRemoval(of source: CopySource) -> [SQLFragment] {
    [
      "DROP TRIGGER IF EXISTS \(gateTrigger) ON \(name(source))",
      "DROP FUNCTION IF EXISTS \(gateFunction(of: source))()",
    ]
  }
}

private let gateTrigger: SQLIdentifier = "~remodel_gate"
