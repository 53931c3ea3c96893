package import SQLSyntax

/// What keeps a table in step for the release on the version before and that on the new one: columns for the
/// former alone, and triggers that compute what the other one's writes mean.
package struct TableBridge: Hashable, Sendable, Codable {
  /// A column with the expression that computes it, over the row as `source`.
  struct Value: Hashable, Sendable, Codable {
    var column: SQLIdentifier
    var expression: String
    var isComparedAsText = false
    /// The entities whose rows have the value; `nil` if all in the table have.
    var entities: [String]?
  }

  /// Columns of both versions that follow from each other.
  struct Group: Hashable, Sendable, Codable {
    /// The columns of the version before.
    var former: [Value] = []
    /// The columns of the new version.
    var current: [Value] = []
  }

  /// The table.
  package let table: SQLIdentifier
  /// The name by which what is retained of the version before is known.
  let version: String
  /// The columns besides those of the new version.
  package let columns: [SQLIdentifier]
  /// The columns that are computed.
  let groups: [Group]
  /// The values that columns of the new version have in place of NULL.
  let fallbacks: [Value]
  /// A Boolean value that indicates whether values depend on how a session writes dates and the like as text.
  let readsFormats: Bool

  /// Creates the bridge of a table.
  ///
  /// - Parameters:
  ///   - draft: What has to be computed.
  ///   - version: The name by which what is retained of the version before is known.
  ///   - names: The names of the columns of the version before in the end.
  ///   - schema: The schema of the table.
  init(
    _ draft: BridgeDraft,
    of version: String,
    names: [SQLIdentifier: SQLIdentifier],
    in schema: SQLIdentifier
  ) {
    self.version = version
    var names = names
    for column in draft.kept { names[column.column.name] = column.name }
    table = draft.newName
    readsFormats = draft.readsFormats
    columns = draft.extraColumns
    func value(
      _ column: SQLIdentifier,
      _ expression: SQLFragment,
      of former: SQLIdentifier? = nil
    ) -> Value {
      Value(
        column: column,
        expression: expression.text,
        isComparedAsText: draft.comparedAsText.contains(former ?? column)
      )
    }
    var parts: [(group: Group, members: Set<SQLIdentifier>)] = []
    func add(_ group: Group, _ members: Set<SQLIdentifier>) {
      var joined = (group: group, members: members)
      for part in parts where !part.members.isDisjoint(with: members) {
        joined.group.former += part.group.former
        joined.group.current += part.group.current
        joined.members.formUnion(part.members)
      }
      parts.removeAll { !$0.members.isDisjoint(with: members) }
      parts.append(joined)
    }
    let synchronized = Set(draft.formerValues.keys.map { names[$0] ?? $0 })
      .union(draft.values.keys)
    for (column, expression) in draft.values.sorted(by: { $0.key < $1.key }) {
      let renamed = expression.renaming(
        tables: [:],
        columns: [FilledTable.row: names],
        in: schema
      )
      let read = synchronized.intersection(renamed.identifiers)
      add(Group(current: [value(column, renamed)]), read.union([column]))
    }
    for (column, expression) in draft.formerValues.sorted(by: { $0.key < $1.key }) {
      let name = names[column] ?? column
      let read = synchronized.intersection(expression.identifiers)
      add(Group(former: [value(name, expression, of: column)]), read.union([name]))
    }
    groups = parts.map { part in
      Group(
        former: part.group.former.sorted { $0.column < $1.column },
        current: part.group.current.sorted { $0.column < $1.column }
      )
    }.sorted { ($0.current + $0.former)[0].column < ($1.current + $1.former)[0].column }
    fallbacks = draft.fallbacks.sorted { $0.key < $1.key }.map { column, fallback in
      var value = value(column, fallback.value)
      value.entities = fallback.entities
      return value
    }
  }

  /// Reads a bridge; one that was recorded without a word on formats has functions with all settings.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    table = try container.decode(SQLIdentifier.self, forKey: .table)
    version = try container.decode(String.self, forKey: .version)
    columns = try container.decode([SQLIdentifier].self, forKey: .columns)
    groups = try container.decode([Group].self, forKey: .groups)
    fallbacks = try container.decode([Value].self, forKey: .fallbacks)
    readsFormats = try container.decodeIfPresent(Bool.self, forKey: .readsFormats) ?? true
  }

  /// The record, among what is retained, of the column that says which version a row is inserted for; `nil` if
  /// there is none.
  var writer: RetainedObject? {
    columns.contains(BridgeDraft.writer)
      ? RetainedObject(table: table, column: BridgeDraft.writer, version: version) : nil
  }
}
