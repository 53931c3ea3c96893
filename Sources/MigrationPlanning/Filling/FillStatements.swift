package import SQLSyntax

/// The statements that fill columns of a table in place.
package struct FillStatements: Hashable, Sendable {
  /// A statement and what it is for.
  typealias Reasoned = (sql: SQLFragment, reason: String)

  private let table: FilledTable
  /// The table.
  package let name: QualifiedName
  private let stagingSchema: SQLIdentifier

  /// Creates the statements of a table of a plan.
  package init(of table: FilledTable, in plan: CopyPlan) {
    self.init(of: table, in: plan.schema, stagingSchema: plan.stagingSchema)
  }

  init(of table: FilledTable, in schema: SQLIdentifier, stagingSchema: SQLIdentifier) {
    self.table = table
    name = QualifiedName(schema: schema, name: table.name)
    self.stagingSchema = stagingSchema
  }

  private func staged(_ prefix: String) -> QualifiedName {
    QualifiedName(schema: stagingSchema, name: StorageNames.fitted(prefix + table.name.name))
  }

  // MARK: - Beginning and end

  /// The trigger that computes the columns.
  ///
  /// Triggers of the same event run in the order of their names by bytes, this one after those of others.
  package static let trigger: SQLIdentifier = "~remodel_fill"
  private static let noteTrigger: SQLIdentifier = "~remodel_unfilled"

  private var function: QualifiedName { staged("fill_") }
  private var noteFunction: QualifiedName { staged("note_") }
  /// The table of the keys of rows that may have no value because the server could not compute it.
  private var unfilled: QualifiedName { staged("unfilled_") }

  /// The statements that create the functions, in the staging schema.
  var functionCreation: [Reasoned] {
    let assignments = table.columns.filter { !$0.mayFail }
      .map { "NEW.\($0.temporaryName) := \($0.value);\n  " as SQLFragment }
      .joined(separator: "")
    // A writer of the version before knows nothing of a value that cannot be computed, and the other columns
    // have theirs.
    let attempts = table.columns.filter(\.mayFail).map { column -> SQLFragment in
      let attempt: SQLFragment = """
        BEGIN
            NEW.\(column.temporaryName) := \(column.value);
          EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
            NEW.\(column.temporaryName) := NULL;
          END;
        """
      return "\(attempt)\n  "
    }
    .joined(separator: "")
    let body: SQLFragment = """

      DECLARE
        \(FilledTable.row) ALIAS FOR NEW;
      BEGIN
        \(assignments)\(attempts)RETURN NEW;
      END

      """
    let creation: [Reasoned] = [
      (
        """
        CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql
          \(SessionDefault.functionClauses()) AS \(body.dollarQuoted)
        """,
        "create the function that computes \(table.columnList) of table \"\(table.name)\""
      ),
      (
        "REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC",
        "keep others from calling the function that computes columns of table \"\(table.name)\""
      ),
    ]
    return table.mayFail ? creation + noteCreation : creation
  }

  /// Notes the keys of rows without a value: that may be their value, or there is none that could be
  /// computed.
  private var noteCreation: [Reasoned] {
    let body: SQLFragment = """

      BEGIN
        INSERT INTO \(unfilled) (key) VALUES (NEW.\(table.key));
        RETURN NULL;
      END

      """
    return [
      (
        // No domain's check is to run with the rights of the owner.
        """
        CREATE TABLE \(unfilled) WITH (autovacuum_enabled = off)
          AS SELECT COALESCE(NULL::\(table.keyType), NULL) AS key WITH NO DATA
        """,
        "create a list of the rows of table \"\(table.name)\" that have no value"
      ),
      (
        "ALTER TABLE \(unfilled) REPLICA IDENTITY FULL",
        "let rows leave the list of table \"\(table.name)\" where it is published"
      ),
      (
        """
        CREATE FUNCTION \(noteFunction)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
          SET search_path = \(.catalogPath) AS \(body.dollarQuoted)
        """,
        "create the function that lists rows of table \"\(table.name)\" that have no value"
      ),
      (
        "REVOKE ALL ON FUNCTION \(noteFunction)() FROM PUBLIC",
        "keep others from calling the function that lists rows of table \"\(table.name)\""
      ),
    ]
  }

  /// The statements after whose commit every row that is written has its values.
  var installation: [Reasoned] {
    let additions = table.columns.map { "ADD COLUMN \($0.temporaryName) \($0.type)" as SQLFragment }
    var statements: [Reasoned] = [
      (
        "ALTER TABLE \(name)\n  \(additions.joined(separator: ",\n  "))",
        "add \(table.columnList) to table \"\(table.name)\" under other names"
      ),
      (
        """
        CREATE TRIGGER \(Self.trigger) BEFORE INSERT OR UPDATE ON \(name)
          FOR EACH ROW EXECUTE FUNCTION \(function)()
        """,
        "compute \(table.columnList) for rows that are written to table \"\(table.name)\""
      ),
      // Sessions that play back others' changes fire no ordinary triggers.
      (
        "ALTER TABLE \(name) ENABLE ALWAYS TRIGGER \(Self.trigger)",
        "compute \(table.columnList) for rows that replication writes to table \"\(table.name)\""
      ),
    ]
    guard table.mayFail else { return statements }
    let isEmpty = table.columns.filter(\.mayFail).map {
      "NEW.\($0.temporaryName) IS NULL" as SQLFragment
    }
    statements += [
      (
        """
        CREATE TRIGGER \(Self.noteTrigger) AFTER INSERT OR UPDATE ON \(name)
          FOR EACH ROW WHEN (\(isEmpty.joined(separator: " OR "))) EXECUTE FUNCTION \(noteFunction)()
        """,
        "list rows of table \"\(table.name)\" that are written and have no value"
      ),
      (
        "ALTER TABLE \(name) ENABLE ALWAYS TRIGGER \(Self.noteTrigger)",
        "list rows of table \"\(table.name)\" that replication writes and that have no value"
      ),
    ]
    return statements
  }

  /// The statements that remove the triggers, whatever there is of them.
  package var triggerRemoval: [SQLFragment] {
    let triggers = table.mayFail ? [Self.trigger, Self.noteTrigger] : [Self.trigger]
    return triggers.map { "DROP TRIGGER IF EXISTS \($0) ON \(name)" }
  }

  /// The statements that undo ``installation``, whatever there is of it; the proofs go with the columns.
  var removal: [SQLFragment] {
    let drops = table.columns.map { "DROP COLUMN IF EXISTS \($0.temporaryName)" as SQLFragment }
    return triggerRemoval + ["ALTER TABLE \(name) \(drops.joined(separator: ", "))"]
  }

  // MARK: - Rows

  /// The statement after which, until the transaction ends, the table has the triggers that it has.
  ///
  /// Without it, a trigger that was not yet committed when they were read would run with our rights.
  package var lock: SQLFragment { "LOCK TABLE \(name) IN ROW EXCLUSIVE MODE" }

  private var differs: SQLFragment {
    table.columns.map(\.differs).joined(separator: " OR ")
  }

  /// Returns the statement that fills the rows of a range of keys which do not have their values yet.
  package func fill(from start: String?, to end: String?) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: table.keyType)
    return fill(where: range.condition("\(FilledTable.row).\(table.key)"))
  }

  /// The statement for all rows.
  var fill: SQLFragment { fill(where: nil) }

  private func fill(where condition: SQLFragment?) -> SQLFragment {
    let assignments = table.columns.map { "\($0.temporaryName) = \($0.value)" as SQLFragment }
    let prefix: SQLFragment = condition.map { "\($0)\n    AND " } ?? ""
    return """
      UPDATE \(name) AS \(FilledTable.row)
        SET \(assignments.joined(separator: ", "))
        WHERE \(prefix)(\(differs))
      """
  }

  /// Returns the query for the keys of up to ten rows of a range that do not have their values.
  package func unequal(from start: String?, to end: String?) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: table.keyType)
    let key: SQLFragment = "\(FilledTable.row).\(table.key)"
    return unequal(where: range.condition(key))
  }

  private func unequal(where condition: SQLFragment) -> SQLFragment {
    """
    SELECT \(FilledTable.row).\(table.key)::text AS key FROM \(name) AS \(FilledTable.row) \
    WHERE \(condition) AND (\(differs)) LIMIT 10
    """
  }

  // MARK: - Rows without a value

  /// The statement that forgets the rows without a value: they are all compared later.
  package var unfilledRemoval: SQLFragment? { table.mayFail ? "DELETE FROM \(unfilled)" : nil }

  /// The query for the keys of up to ten rows, among those without a value, that do not have theirs.
  package var unequalUnfilled: SQLFragment? {
    guard table.mayFail else { return nil }
    return unequal(where: "\(FilledTable.row).\(table.key) IN (SELECT key FROM \(unfilled))")
  }

  // MARK: - Required values

  /// How the server gets to know that a column has a value in every row.
  package struct Proof {
    /// The constraint.
    package let name: SQLIdentifier
    /// The place where the column will be.
    package let place: ColumnReference
    fileprivate let isMissing: SQLFragment
    /// The statement that has the server refuse nulls.
    package let promise: SQLFragment
    /// The statement that looks at the rows that were there.
    package let validation: SQLFragment
    /// The statement that has the server accept nulls again.
    package let withdrawal: SQLFragment
  }

  /// The proofs of the columns that must have a value in every row.
  package var proofs: [Proof] {
    table.columns.filter(\.isRequired).map { column in
      Proof(
        name: column.proof,
        place: column.place,
        isMissing: "\(FilledTable.row).\(column.temporaryName) IS NULL",
        promise: """
          ALTER TABLE \(name) ADD CONSTRAINT \(column.proof) \
          CHECK (\(column.temporaryName) IS NOT NULL) NOT VALID
          """,
        validation: UnvalidatedReference.validation(of: column.proof, of: name),
        withdrawal: "ALTER TABLE \(name) DROP CONSTRAINT IF EXISTS \(column.proof)"
      )
    }
  }

  /// Returns the query for the keys of up to ten rows without a value, with the number of the proof whose
  /// column is the first without one; `nil` if there are no proofs.
  ///
  /// It reads the table once, however many columns there are.
  package func missingValues(of proofs: [Proof]) -> SQLFragment? {
    guard !proofs.isEmpty else { return nil }
    let cases = proofs.enumerated().map { number, proof -> SQLFragment in
      "WHEN \(proof.isMissing) THEN \(number)"
    }
    return """
      SELECT \(FilledTable.row).\(table.key)::text AS key, \
      CASE \(cases.joined(separator: " ")) END AS number FROM \(name) AS \(FilledTable.row) \
      WHERE \(proofs.map(\.isMissing).joined(separator: " OR ")) LIMIT 10
      """
  }

  /// Every statement that changes the database.
  var all: [SQLFragment] {
    (functionCreation + installation).map(\.sql) + [fill]
      + proofs.flatMap { [$0.promise, $0.validation] }
  }

  /// The query whether a constraint of the table is valid; no row if there is none.
  package func validity(of constraint: SQLIdentifier) -> SQLFragment {
    """
    SELECT k.convalidated AS is_valid FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = \(.text(name.schema.name)) \
    AND c.relname = \(.text(name.name.name)) AND k.conname = \(.text(constraint.name))
    """
  }
}
