internal import ObjectModel
public import SQLSyntax

/// The statement of a release on the previous version that no longer works after a change, as an example.
public struct FailingStatement: Hashable, Sendable {
  /// What happens to the statement.
  public enum Effect: String, Hashable, Sendable {
    /// Every such statement fails.
    case fails
    /// It fails for some values or rows.
    case mayFail = "may-fail"
    /// It succeeds and does something else: it finds no rows, or other values.
    case differs
  }

  /// The statement as SQL, with names of the previous version and an ellipsis for what varies.
  public let sql: SQLFragment
  /// What happens to it.
  public let effect: Effect
}

extension MigrationStep {
  /// Returns the statement of a release on the source that no longer works after a change.
  ///
  /// - Parameter breakage: A change that a statement of the step makes.
  /// - Returns: An example of such a statement.
  public func failingStatement(by breakage: ReleaseBreakage) -> FailingStatement {
    let name = breakage.table
    let table = source?.projection.schema.tables[name]
    switch breakage {
    case .tableRenamed, .tableDropped: return .init(sql: "SELECT … FROM \(name)", effect: .fails)
    case .columnRenamed(let column, _, _), .columnDropped(let column, _):
      return .init(sql: "SELECT \(column) FROM \(name)", effect: .fails)
    case .typeChanged(let column, _, _, _):
      return .init(sql: "SELECT \(column) FROM \(name)", effect: .mayFail)
    case .valueRequired(let column, _):
      return .init(sql: insertion(into: name, table, without: column), effect: .fails)
    case .valueComputed(let column, _):
      return .init(sql: "INSERT INTO \(name) (\(column)) VALUES (…)", effect: .fails)
    case .computationRequired(let column, _):
      return .init(sql: insertion(into: name, table, without: column), effect: .mayFail)
    case .conditionRequired:
      return .init(sql: insertion(into: name, table, without: nil), effect: .mayFail)
    case .uniquenessRequired(let columns, _):
      return .init(sql: "INSERT INTO \(name) (\(columns)) VALUES (…)", effect: .mayFail)
    case .keyRemoved(let columns, _):
      let insertion = insertion(into: name, table, without: nil)
      return .init(sql: "\(insertion) ON CONFLICT (\(columns)) DO …", effect: .fails)
    case .referenceRequired(let column, _, _):
      return .init(sql: "INSERT INTO \(name) (\(column)) VALUES (…)", effect: .mayFail)
    case .deletionRefused: return .init(sql: "DELETE FROM \(name) WHERE …", effect: .mayFail)
    case .keyChangeRefused:
      let key = table?.rowKey ?? []
      let assignment: SQLFragment = key.count == 1 ? "\(key)" : "(\(key))"
      return .init(
        sql: key.isEmpty
          ? "UPDATE \(name) SET … WHERE …" : "UPDATE \(name) SET \(assignment) = … WHERE …",
        effect: .mayFail
      )
    case .nameRemoved(let object, _):
      let isConstraint = table?.constraints.contains { $0.name == object } ?? false
      let insertion = insertion(into: name, table, without: nil)
      return .init(
        sql: isConstraint
          ? "\(insertion) ON CONFLICT ON CONSTRAINT \(object) DO …"
          : "SELECT nextval(\(text: object.quoted))",
        effect: .fails
      )
    case .entitiesRenamed:
      return .init(
        sql: "SELECT … FROM \(name) WHERE \(StorageNames.discriminator) = …",
        effect: .differs
      )
    case .rowsLeft: return .init(sql: "SELECT … FROM \(name) WHERE …", effect: .differs)
    }
  }

  /// Returns an INSERT of a row without a value for a column; of the columns, it names a few.
  private func insertion(
    into name: SQLIdentifier,
    _ table: Table?,
    without left: SQLIdentifier?
  ) -> SQLFragment {
    let columns = (table?.columns ?? []).filter { $0.name != left && $0.generation == nil }
      .map(\.name)
    guard !columns.isEmpty else { return "INSERT INTO \(name) … VALUES (…)" }
    let rest: SQLFragment = columns.count > 4 ? ", …" : ""
    return "INSERT INTO \(name) (\(Array(columns.prefix(4)))\(rest)) VALUES (…)"
  }
}
