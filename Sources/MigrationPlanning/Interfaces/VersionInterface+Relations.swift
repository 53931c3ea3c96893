package import SQLSyntax

extension VersionInterface {
  /// Returns the statements that create a view again.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - schema: The tables.
  /// - Returns: The statements.
  package func recreation(
    of view: InterfaceView,
    over schema: DatabaseSchema
  ) -> [SQLFragment] {
    let statements = InterfaceStatements(schema: schema).creation(of: [view], in: self)
    return [
      "CREATE SCHEMA IF NOT EXISTS \(self.schema)",
      "GRANT USAGE ON SCHEMA \(self.schema) TO PUBLIC",
    ] + InterfaceStatements.removal(of: [view], in: self).map(\.sql) + statements.map(\.sql)
  }

  /// Returns the triggers that keep tables and links in step.
  ///
  /// - Parameter schema: The schema of the tables.
  /// - Returns: The triggers.
  package func triggers(in schema: SQLIdentifier) -> [BridgeTrigger] {
    bridges.flatMap { BridgeStatements($0, of: self, in: schema).triggers }
      + links.flatMap { LinkBridgeStatements($0, of: self, in: schema).triggers }
  }

  /// Returns the name of a view with its schema.
  package func place(of view: InterfaceView) -> QualifiedName {
    QualifiedName(schema: schema, name: view.name)
  }

  /// Returns the view beneath one whose rows say which version they are inserted for; `nil` if there is none.
  ///
  /// It has a column more, whose default says so.
  package func writerPlace(of view: InterfaceView) -> QualifiedName? {
    guard bridges.contains(where: { $0.table == view.table && $0.writer != nil }) else {
      return nil
    }
    return QualifiedName(
      schema: schema,
      name: StorageNames.fitted("remodel_writer_" + view.name.name)
    )
  }

  /// Returns the names of a view and of the one beneath it, if there is one.
  func places(of view: InterfaceView) -> [QualifiedName] {
    [place(of: view)] + [writerPlace(of: view)].compactMap(\.self)
  }

  /// A view in the database.
  package struct Relation: Hashable, Sendable {
    /// The name.
    package let name: QualifiedName
    /// The columns, with those that they show.
    package let columns: [InterfaceView.Column]
    /// The table or the view that it shows; `nil` if it shows none.
    package let origin: QualifiedName?
  }

  /// Returns a view, and the one beneath it if there is one.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - schema: The schema of the tables.
  /// - Returns: The views as the database has them, the one beneath last.
  package func relations(of view: InterfaceView, in schema: SQLIdentifier) -> [Relation] {
    let table = view.table.map { QualifiedName(schema: schema, name: $0) }
    let writer = writerPlace(of: view)
    let shown = Relation(
      name: place(of: view),
      columns: view.columns,
      origin: table == nil ? nil : writer ?? table
    )
    guard let writer else { return [shown] }
    let columns = view.columns.map { $0.named($0.source) }
    let beneath = Relation(name: writer, columns: columns + [.writer], origin: table)
    return [shown, beneath]
  }
}
