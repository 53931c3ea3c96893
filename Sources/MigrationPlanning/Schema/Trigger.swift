package import SQLSyntax

/// A trigger, and the function of the same name that it calls.
package struct Trigger: Hashable, Sendable {
  /// The name of the trigger and of its function.
  package var name: SQLIdentifier
  /// When the function is called.
  package var activation: Activation
  /// The PL/pgSQL statements of the function before it returns.
  package var body: SQLFragment

  /// When the function of a trigger is called.
  package enum Activation: Hashable, Sendable {
    /// After each deleted row.
    case afterEachDelete
    /// Before each row that is inserted, or updated in one of the columns; in any, if none is named.
    case beforeEachWrite(of: [SQLIdentifier])
    /// After each statement; the rows as they were are in `remodel_old`, as they are in `remodel_new`.
    case afterStatement(Event)
  }

  /// The events of a table.
  package enum Event: String, Hashable, Sendable, CaseIterable {
    case insert
    case update
    case delete
    case truncate
  }

  /// Creates a trigger; by default it runs for each deleted row.
  package init(
    name: SQLIdentifier,
    activation: Activation = .afterEachDelete,
    body: SQLFragment
  ) {
    self.name = name
    self.activation = activation
    self.body = body
  }

  /// The columns that the server knows the trigger to depend on.
  var columns: [SQLIdentifier] {
    switch activation {
    case .beforeEachWrite(let columns): columns
    case .afterEachDelete, .afterStatement: []
    }
  }

  /// A Boolean value that indicates whether any update of a row changes the trigger's value.
  var isStamp: Bool { activation == .beforeEachWrite(of: []) }

  /// Returns the statements that create its function and itself.
  package func creation(on table: QualifiedName) -> (function: SQLFragment, trigger: SQLFragment) {
    let function = QualifiedName(schema: table.schema, name: name)
    let definition: SQLFragment = "\nBEGIN\n  \(body)\n  RETURN \(result);\nEND\n"
    return (
      """
      CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql
        SET search_path = \(.catalogPath) AS \(definition.dollarQuoted)
      """,
      "CREATE TRIGGER \(name) \(event(on: table)) EXECUTE FUNCTION \(function)()"
    )
  }

  /// The clause of CREATE TRIGGER for the time and the events.
  private func event(on table: QualifiedName) -> SQLFragment {
    switch activation {
    case .afterEachDelete: "AFTER DELETE ON \(table)\n  FOR EACH ROW"
    case .beforeEachWrite(let columns):
      columns.isEmpty
        ? "BEFORE INSERT OR UPDATE ON \(table)\n  FOR EACH ROW"
        : "BEFORE INSERT OR UPDATE OF \(columns) ON \(table)\n  FOR EACH ROW"
    case .afterStatement(.insert):
      "AFTER INSERT ON \(table)\n  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT"
    case .afterStatement(.update):
      """
      AFTER UPDATE ON \(table)
        REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT
      """
    case .afterStatement(.delete):
      "AFTER DELETE ON \(table)\n  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT"
    case .afterStatement(.truncate): "AFTER TRUNCATE ON \(table)\n  FOR EACH STATEMENT"
    }
  }

  /// What the function returns.
  private var result: SQLFragment {
    switch activation {
    case .beforeEachWrite: "NEW"
    case .afterEachDelete, .afterStatement: "NULL"
    }
  }
}
