package import SQLSyntax

/// The settings of a table that are outside of the model: owner, privileges, comments, storage.
///
/// A table that replaces another gets its settings.
package struct TableSettings: Hashable, Sendable {
  /// The settings, in the order of their statements.
  package var settings: [TableSetting]
  /// Why no other table can take the place of this one.
  package var obstacles: [Obstacle]

  /// Something that does not come along to another table.
  package struct Obstacle: Hashable, Sendable {
    /// Its kind and its name, as the server describes it: `table column public.book.shelf`.
    package var name: String
    /// Why it does not come along: a sentence.
    package var reason: String

    /// Creates an obstacle.
    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// Creates settings.
  package init(settings: [TableSetting], obstacles: [Obstacle] = []) {
    self.settings = settings
    self.obstacles = obstacles
  }

  /// Returns the statements for the time when a table has its place.
  func statements(_ table: QualifiedName) -> [SQLFragment] {
    settings.filter { !$0.comesBeforeRows }.map { $0.statement(table) }
  }

  /// Returns the statements to run before the first row of a table, each with its inverse if there
  /// is one.
  func storage(of table: QualifiedName) -> [(statement: SQLFragment, removal: SQLFragment?)] {
    settings.compactMap { setting in
      guard let (clause, removal) = setting.storage else { return nil }
      return (
        setting.alteration(clause, of: table), removal.map { setting.alteration($0, of: table) }
      )
    }
  }
}

/// One setting of a table, or of something that belongs to it.
package struct TableSetting: Hashable, Sendable {
  /// The subject of the setting.
  package var subject: Subject
  /// The value of the setting.
  package var change: Change

  /// The subjects of settings.
  package enum Subject: Hashable, Sendable {
    case table
    case column(SQLIdentifier)
    case constraint(SQLIdentifier)
    case index(SQLIdentifier)
    case sequence(SQLIdentifier)
  }

  /// The kinds of settings.
  package enum Change: Hashable, Sendable {
    /// How rows are stored: the clause after `ALTER TABLE t` or `ALTER TABLE t ALTER COLUMN c`.
    ///
    /// It is set before there are rows. The removal is the inverse clause, if there is one.
    case storage(SQLFragment, removal: SQLFragment?)
    /// Storage parameters.
    case parameters([StorageParameter])
    /// The clause after `ALTER TABLE t`.
    case alteration(SQLFragment)
    /// The table is clustered on the index.
    case clustering
    /// The values of the index tell subscribers which row is meant.
    case replicaIdentity
    /// The roles have no privileges but those that are granted hereafter.
    case revocation([SQLIdentifier])
    /// A role, or everybody where it is none, has privileges.
    case grant([String], SQLIdentifier?, isGrantable: Bool)
    case comment(String)
  }

  /// A storage parameter that people have set.
  package struct StorageParameter: Hashable, Sendable {
    /// The name, as a list of names has it.
    let name: SQLFragment
    /// The name and the value, as a list of parameters has them.
    let setting: SQLFragment

    /// Creates a parameter.
    package init(name: SQLFragment, setting: SQLFragment) {
      self.name = name
      self.setting = setting
    }
  }

  /// Creates a setting.
  package init(_ subject: Subject, _ change: Change) {
    self.subject = subject
    self.change = change
  }

  fileprivate var comesBeforeRows: Bool { storage != nil }

  /// The setting to apply before there are rows, with its inverse.
  fileprivate var storage: (clause: SQLFragment, removal: SQLFragment?)? {
    switch change {
    case .storage(let clause, let removal): return (clause, removal)
    case .parameters(let parameters):
      return (
        "SET (\(parameters.map(\.setting).joined(separator: ", ")))",
        "RESET (\(parameters.map(\.name).joined(separator: ", ")))"
      )
    case .alteration, .clustering, .replicaIdentity, .revocation, .grant, .comment: return nil
    }
  }

  fileprivate func statement(_ table: QualifiedName) -> SQLFragment {
    switch change {
    case .storage, .parameters: storage.map { alteration($0.clause, of: table) } ?? ""
    case .alteration(let clause): alteration(clause, of: table)
    case .clustering: "ALTER TABLE \(table) CLUSTER ON \(name(table))"
    case .replicaIdentity: "ALTER TABLE \(table) REPLICA IDENTITY USING INDEX \(name(table))"
    case .revocation(let roles):
      "REVOKE ALL ON \(holder(table)) FROM PUBLIC, \(roles)"
    case .grant(let privileges, let grantee, let isGrantable):
      grant(privileges, grantee, isGrantable, table)
    case .comment(let text): "COMMENT ON \(commented(table)) IS \(SQLLiteral.text(text))"
    }
  }

  fileprivate func alteration(_ clause: SQLFragment, of table: QualifiedName) -> SQLFragment {
    switch subject {
    case .column(let column): "ALTER TABLE \(table) ALTER COLUMN \(column) \(clause)"
    case .table, .constraint, .index, .sequence: "ALTER TABLE \(table) \(clause)"
    }
  }

  private func grant(
    _ privileges: [String],
    _ grantee: SQLIdentifier?,
    _ isGrantable: Bool,
    _ table: QualifiedName
  ) -> SQLFragment {
    var columns: SQLFragment = ""
    if case .column(let column) = subject { columns = " (\(column))" }
    let list = privileges.map { "\(SQLFragment(deparsed: $0))\(columns)" as SQLFragment }
      .joined(separator: ", ")
    let role: SQLFragment = grantee.map { "\($0)" } ?? "PUBLIC"
    let option: SQLFragment = isGrantable ? " WITH GRANT OPTION" : ""
    return "GRANT \(list) ON \(holder(table)) TO \(role)\(option)"
  }

  /// The name of the subject in the table's schema.
  private func name(_ table: QualifiedName) -> SQLIdentifier {
    switch subject {
    case .table: table.name
    case .column(let name), .constraint(let name), .index(let name), .sequence(let name): name
    }
  }

  /// The object of the privileges.
  private func holder(_ table: QualifiedName) -> SQLFragment {
    switch subject {
    case .sequence(let name): "SEQUENCE \(QualifiedName(schema: table.schema, name: name))"
    case .table, .column, .constraint, .index: "TABLE \(table)"
    }
  }

  private func commented(_ table: QualifiedName) -> SQLFragment {
    switch subject {
    case .table: "TABLE \(table)"
    case .column(let name): "COLUMN \(table).\(name)"
    case .constraint(let name): "CONSTRAINT \(name) ON \(table)"
    case .index(let name): "INDEX \(QualifiedName(schema: table.schema, name: name))"
    case .sequence(let name): "SEQUENCE \(QualifiedName(schema: table.schema, name: name))"
    }
  }
}

extension TableSettings {
  /// Returns the settings without the storage parameters that models set.
  ///
  /// - Parameters:
  ///   - parameters: The parameters.
  ///   - isPartitioned: Whether they are those of a partitioned table, which is not stored itself.
  /// - Returns: The settings.
  func without(_ parameters: Set<String>, isPartitioned: Bool = false) -> TableSettings {
    guard !parameters.isEmpty || isPartitioned else { return self }
    var result = self
    result.settings = settings.compactMap { setting in
      // Only partitions are stored.
      if isPartitioned, setting.subject == .table, setting.comesBeforeRows { return nil }
      guard setting.subject == .table, case .parameters(let all) = setting.change else {
        return setting
      }
      let names = Set(parameters.map { "\(SQLIdentifier($0))" as SQLFragment })
      let left = all.filter { !names.contains($0.name) }
      return left.isEmpty ? nil : TableSetting(.table, .parameters(left))
    }
    return result
  }

  /// Returns the settings with the new names of their subjects, without those of removed ones.
  func renamed(_ newName: (TableSetting.Subject) -> TableSetting.Subject?) -> TableSettings {
    var result = self
    result.settings = settings.compactMap { setting in
      newName(setting.subject).map { TableSetting($0, setting.change) }
    }
    return result
  }
}
