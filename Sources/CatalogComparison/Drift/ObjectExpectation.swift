internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

/// The expected definition of an object, as far as the model alone determines it.
struct ObjectExpectation: Sendable {
  /// The requirement on a facet.
  enum Requirement: Hashable, Sendable {
    /// This text, or that there is none.
    case exactly(String?)
    /// Some text, which only the server words.
    case something
  }

  /// The requirements that do not depend on the server.
  var requirements: [ObjectDefinition.Facet: Requirement] = [:]
  /// Writes the SQL that creates it, or that describes it; few objects differ, so few texts are needed.
  var sql: @Sendable () -> String

  /// Returns the facets in which a definition violates the requirements.
  func facetsMissed(by definition: ObjectDefinition) -> Set<ObjectDefinition.Facet> {
    Set(
      requirements.compactMap { facet, requirement in
        guard definition.knows(facet) else { return nil }
        switch requirement {
        case .exactly(let text): return definition[facet] == text ? nil : facet
        case .something: return definition[facet] == nil ? facet : nil
        }
      }
    )
  }
}

extension ObjectExpectation {
  /// Returns all objects of a model in the catalog, with the certain parts of their definitions.
  static func all(of schema: DatabaseSchema) -> [CatalogObject: ObjectExpectation] {
    var expectations: [CatalogObject: ObjectExpectation] = [:]
    for table in schema.tables.values {
      let name = table.name.name
      expectations[CatalogObject(.table, table: name)] = ObjectExpectation(table)
      for column in table.columns {
        expectations[CatalogObject(.column, table: name, name: column.name.name)] =
          ObjectExpectation(column, schema)
        if let sequence = column.identitySequence {
          expectations[CatalogObject(.sequence, table: name, name: sequence.name)] =
            ObjectExpectation(
              requirements: [.column: .exactly(column.name.name)],
              sql: { "sequence of column \(column.name)" }
            )
        }
      }
      for constraint in table.constraints {
        expectations[CatalogObject(.constraint, table: name, name: constraint.name.name)] =
          ObjectExpectation(constraint, schema)
      }
      for index in table.indexes {
        expectations[CatalogObject(.index, table: name, name: index.name.name)] =
          ObjectExpectation(index, table, schema)
      }
      for trigger in table.triggers {
        let creation = { @Sendable in trigger.creation(on: schema.qualified(table.name)) }
        expectations[CatalogObject(.trigger, table: name, name: trigger.name.name)] =
          ObjectExpectation(
            requirements: [
              .firing: .exactly("enabled"),
              .function: .exactly("\(schema.name).\(trigger.name)"),
            ],
            sql: { creation().trigger.text }
          )
        expectations[CatalogObject(.function, table: name, name: trigger.name.name)] =
          ObjectExpectation(sql: { creation().function.text })
      }
    }
    return expectations
  }

  // MARK: - Parts

  private init(_ table: Table) {
    // Partitions have the storage parameters of a table that has some.
    let storage = table.partitioning == nil ? ObjectDefinition.storageText(table.storage) : nil
    let kind = table.partitioning == nil ? "table" : "partitioned table"
    let key = table.partitioning?.description
    let distribution = table.distribution?.description
    self.init(
      requirements: [
        .relationKind: .exactly(kind), .partitionKey: .exactly(key),
        .persistence: .exactly("permanent"),
      ],
      sql: {
        "\(kind), \(key.map { "partition key \($0), " } ?? "")"
          + "\(distribution.map { "\($0), " } ?? "")permanent"
          + (storage.map { ", storage \($0)" } ?? "")
      }
    )
    if let storage { requirements[.storage] = .exactly(storage) }
    if let distribution { requirements[.distribution] = .exactly(distribution) }
  }

  private init(_ column: Column, _ schema: DatabaseSchema) {
    var requirements: [ObjectDefinition.Facet: Requirement] = [
      .nullability: .exactly(column.isNullable ? "NULL" : "NOT NULL"),
      .identity: .exactly(column.sequence?.kind.words),
      .defaultExpression: column.defaultExpression == nil && column.sequence?.kind != .serial
        ? .exactly(nil) : .something,
      .generation: column.generation == nil ? .exactly(nil) : .something,
      .collation: .exactly(nil),
    ]
    if column.type.isWordedAsTheServerDoes { requirements[.type] = .exactly(column.type.text) }
    self.init(requirements: requirements) {
      let definition = column.definition(in: schema.name).text
      return String(definition.dropFirst(column.name.quoted.count + 1))
    }
  }

  private init(_ constraint: Constraint, _ schema: DatabaseSchema) {
    var requirements: [ObjectDefinition.Facet: Requirement] = [
      .validity: .exactly("valid"), .enforcement: .exactly("enabled"),
      .deferrability: .exactly("NOT DEFERRABLE"),
    ]
    var columns: [SQLIdentifier]? = constraint.columns
    switch constraint.definition {
    case .primaryKey: requirements[.constraintKind] = .exactly("PRIMARY KEY")
    case .unique: requirements[.constraintKind] = .exactly("UNIQUE")
    case .check:
      requirements[.constraintKind] = .exactly("CHECK")
      // The server counts in all columns that the condition reads, in their order.
      columns = nil
    case .exclusion(let exclusion):
      requirements[.constraintKind] = .exactly("EXCLUDE")
      columns = exclusion.columns
    case .foreignKey(let foreignKey):
      requirements[.constraintKind] = .exactly("FOREIGN KEY")
      requirements[.references] = .exactly("\(schema.name).\(foreignKey.references)")
      requirements[.deferrability] = .exactly(foreignKey.deferrability.words)
      requirements[.onDelete] = .exactly(foreignKey.onDelete.clause.text)
    }
    requirements[.columns] = columns.map { .exactly($0.map(\.name).joined(separator: ", ")) }
    self.init(requirements: requirements) {
      let clause = constraint.clause(in: schema.name).text
      let prefix = "CONSTRAINT \(constraint.name.quoted) "
      return String(clause.dropFirst(prefix.count))
    }
  }

  private init(_ index: Index, _ table: Table, _ schema: DatabaseSchema) {
    var requirements: [ObjectDefinition.Facet: Requirement] = [
      .uniqueness: .exactly(index.isUnique ? "unique" : nil), .validity: .exactly("valid"),
    ]
    // The server deparses the authored SQL of an index in its own words.
    if index.definition == nil {
      let elements = index.elements.map { element in
        (element.column?.name ?? "(expression)") + (element.isDescending ? " DESC" : "")
      }
      requirements[.columns] = .exactly(elements.joined(separator: ", "))
      requirements[.extent] = .exactly(index.predicate == nil ? nil : "partial")
    }
    self.init(requirements: requirements) {
      index.creation(of: schema.qualified(table.name)).text
    }
  }
}

extension ColumnSequence.Kind {
  /// The words of the server's catalog for it; `nil` for the default.
  fileprivate var words: String? {
    switch self {
    case .identity: "BY DEFAULT"
    case .identityAlways: "ALWAYS"
    case .serial: nil
    }
  }
}

extension ReferenceDescription.Deferrability {
  /// The words of the server's catalog for it.
  fileprivate var words: String {
    switch self {
    case .notDeferrable: "NOT DEFERRABLE"
    case .immediate: "DEFERRABLE"
    case .deferred: "INITIALLY DEFERRED"
    }
  }
}

extension SQLTypeName {
  /// A Boolean value that indicates whether the server would have the same text for the type.
  fileprivate var isWordedAsTheServerDoes: Bool {
    let parts = self.parts
    return SQLTypeName(parts.elementText)?.family != .other && parts.text == text
  }
}
