internal import ObjectModel
internal import SQLSyntax

/// The statements that create and drop the views of interfaces.
///
/// Rights stay with the tables: each view has all of them for everyone, and its user needs those of the
/// table as well.
struct InterfaceStatements {
  /// The schema of the tables when the views are created.
  let schema: DatabaseSchema

  /// Returns the statements that create an interface.
  func creation(of interface: VersionInterface) -> [PlannedStatement] {
    let reason = "serve version \"\(interface.versionName)\""
    let statements: [PlannedStatement] = [
      PlannedStatement(
        sql: "CREATE SCHEMA \(interface.schema)",
        reason: reason,
        madeSchema: interface.schema
      ),
      PlannedStatement(
        sql: """
          COMMENT ON SCHEMA \(interface.schema) IS \(text: VersionInterface.comment + interface.versionName)
          """,
        reason: reason
      ),
      PlannedStatement(
        sql: "GRANT USAGE ON SCHEMA \(interface.schema) TO PUBLIC",
        reason: reason
      ),
    ]
    return statements + creation(of: interface.views, in: interface)
  }

  /// Returns the statements that create views of an interface.
  func creation(
    of views: [InterfaceView],
    in interface: VersionInterface
  ) -> [PlannedStatement] {
    guard !views.isEmpty else { return [] }
    let reason = "serve version \"\(interface.versionName)\""
    let names = views.flatMap(interface.places).map { "\($0)" as SQLFragment }
    return views.flatMap { view -> [PlannedStatement] in
      let relations = interface.relations(of: view, in: schema.name)
      let creations = relations.reversed().map { relation in
        PlannedStatement(
          sql: """
            CREATE VIEW \(relation.name) WITH (security_invoker = true) AS \
            \(query(of: relation, interface))
            """,
          reason: "\(reason): table \"\(view.name)\"",
          lockedObjects: [.dependent(relation.name.quoted)]
        )
      }
      return creations + defaults(of: view, interface, reason)
    } + [
      PlannedStatement(
        sql: """
          GRANT SELECT, INSERT, UPDATE, DELETE ON \(names.joined(separator: ", ")) TO PUBLIC
          """,
        reason: reason
      )
    ]
  }

  /// Returns the query of a view.
  private func query(
    of view: VersionInterface.Relation,
    _ interface: VersionInterface
  ) -> SQLFragment {
    guard let origin = view.origin else {
      let columns = view.columns.map {
        "NULL::\(SQLFragment(deparsed: $0.type)) AS \($0.name)" as SQLFragment
      }
      let message =
        "table \"\(view.name.name)\" is not served to version \"\(interface.versionName)\""
      // A release that reads it gets an error with the text, and not the rows of another table.
      return """
        SELECT \(columns.joined(separator: ", ")) WHERE \(text: message)::pg_catalog.text\
        ::pg_catalog.bool
        """
    }
    let columns = view.columns.map {
      $0.name == $0.source ? "\($0.name)" : "\($0.source) AS \($0.name)" as SQLFragment
    }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(origin)"
  }

  /// Returns the statements that give rows of a version its own defaults, where the table has others.
  private func defaults(
    of view: InterfaceView,
    _ interface: VersionInterface,
    _ reason: String
  ) -> [PlannedStatement] {
    guard let table = view.table else { return [] }
    let clauses = view.columns.compactMap { column -> SQLFragment? in
      let found = schema.tables[table]?.column(column.source)
      guard !column.isFilledByServer, found?.defaultExpression?.text != column.defaultExpression
      else { return nil }
      if let expression = column.defaultExpression {
        return "ALTER COLUMN \(column.name) SET DEFAULT \(SQLFragment(deparsed: expression))"
      }
      // The server takes a plain NULL for no default, so that the table's would be used.
      let nothing: SQLFragment =
        "CASE WHEN true THEN NULL::\(SQLFragment(deparsed: column.type)) END"
      return "ALTER COLUMN \(column.name) SET DEFAULT \(nothing)"
    }
    let writer = interface.writerPlace(of: view).map { writer in
      PlannedStatement(
        sql: "ALTER VIEW \(writer) ALTER COLUMN \(BridgeDraft.writer) SET DEFAULT true",
        reason: "have rows of version \"\(interface.versionName)\" say so"
      )
    }
    let own =
      clauses.isEmpty
      ? nil
      : PlannedStatement(
        sql: "ALTER VIEW \(interface.place(of: view)) \(clauses.joined(separator: ", "))",
        reason: "\(reason): defaults of table \"\(view.name)\""
      )
    return [writer, own].compactMap(\.self)
  }

  /// Returns the statement that drops views of an interface, if there are any.
  static func removal(
    of views: [InterfaceView],
    in interface: VersionInterface
  ) -> [PlannedStatement] {
    let reason = "replace views of version \"\(interface.versionName)\""
    return removal(of: views, in: interface, reason)
  }

  private static func removal(
    of views: [InterfaceView],
    in interface: VersionInterface,
    _ reason: String
  ) -> [PlannedStatement] {
    guard !views.isEmpty else { return [] }
    let places = views.flatMap(interface.places)
    let names = places.map { "\($0)" as SQLFragment }
    return [
      PlannedStatement(
        sql: "DROP VIEW IF EXISTS \(names.joined(separator: ", "))",
        reason: reason,
        lockedObjects: Set(places.map { .dependent($0.quoted) })
      )
    ]
  }

  /// Returns the statements that retire an interface.
  static func retirement(of interface: VersionInterface) -> [PlannedStatement] {
    let reason = "retire version \"\(interface.versionName)\""
    return removal(
      of: interface.views,
      in: interface,
      "drop the views of version \"\(interface.versionName)\""
    ) + [PlannedStatement(sql: "DROP SCHEMA IF EXISTS \(interface.schema)", reason: reason)]
  }
}
