internal import MigrationPlanning
internal import SQLSyntax

/// The statements that read and write the deferred work of one store in the metadata.
struct DeferredWorkStatements {
  private let store: StoreIdentity
  private let relation: QualifiedName

  init(_ store: StoreIdentity) {
    self.store = store
    relation = MetadataSchema(name: store.metadataSchema).relation("late_work")
  }

  private var isThisStore: SQLFragment {
    """
    schema_name = \(text: store.schema.name) \
    AND model_name = \(text: store.modelName)
    """
  }

  /// The deferred work, first the work that a release relies on.
  var pending: SQLFragment {
    """
    SELECT id, version_name, phase, kind, table_name, object_name, last_error, \
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at \
    FROM \(relation) WHERE \(isThisStore) AND done_at IS NULL ORDER BY phase <> 'now', id
    """
  }

  /// Has a row for each piece of work that is not done.
  var anyPending: SQLFragment {
    "SELECT FROM \(relation) WHERE \(isThisStore) AND done_at IS NULL"
  }

  /// Records the deferred work of a step, if it has any.
  func entry(of step: MigrationStep) -> SQLFragment? {
    guard step.hasDeferredWork else { return nil }
    let schema = step.destination.projection.schema.name
    let rows = step.deferredWork.map { work -> SQLFragment in
      let text = work.statements(in: schema).map(\.sql.text).joined(separator: ";\n")
      let values = [
        store.schema.name, store.modelName, step.destination.name, work.phase.rawValue,
        work.kind.rawValue, work.table.name, work.object.name, text,
      ]
      let list = values.map { "\(text: $0)" as SQLFragment }.joined(separator: ", ")
      return "(\(list))"
    }
    return """
      INSERT INTO \(relation) (schema_name, model_name, version_name, phase, kind, table_name, \
      object_name, statements) VALUES \(rows.joined(separator: ", "))
      """
  }

  /// Removes the work that is not done for a version which the store leaves.
  func leaving(version: String) -> SQLFragment {
    """
    DELETE FROM \(relation) WHERE \(isThisStore) AND done_at IS NULL \
    AND version_name = \(text: version)
    """
  }

  /// Notes that this session does the work.
  func beginning(of id: Int) -> SQLFragment {
    """
    UPDATE \(relation) SET began_at = clock_timestamp(), role = session_user \
    WHERE id = \(id)
    """
  }

  /// Notes that it is done.
  func end(of id: Int) -> SQLFragment {
    "UPDATE \(relation) SET \(Self.done) WHERE id = \(id)"
  }

  /// The same for work that has no number yet, in a script.
  func end(of work: DeferredWork) -> SQLFragment {
    """
    UPDATE \(relation) SET \(Self.done) WHERE \(isThisStore) AND done_at IS NULL \
    AND kind = \(text: work.kind.rawValue) \
    AND table_name = \(text: work.table.name) \
    AND object_name = \(text: work.object.name)
    """
  }

  private static var done: SQLFragment {
    """
    done_at = clock_timestamp(), role = session_user, last_error = NULL, last_sqlstate = NULL
    """
  }

  /// Keeps an error of the work for `status`.
  func failure(of id: Int, _ message: String, sqlState: String?) -> SQLFragment {
    """
    UPDATE \(relation) SET last_error = \(text: message), \
    last_sqlstate = \(text: sqlState) \
    WHERE id = \(id)
    """
  }
}
