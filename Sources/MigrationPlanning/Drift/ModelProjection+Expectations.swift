internal import SQLSyntax

extension ModelProjection {
  /// Returns all objects that the model has in the catalog, with what is certain of them.
  func expectations() -> [CatalogObject: ObjectExpectation] {
    var expectations: [CatalogObject: ObjectExpectation] = [:]
    for table in schema.tables.values {
      let name = table.name.name
      expectations[CatalogObject(.table, table: name)] = ObjectExpectation(
        requirements: [
          .relationKind: .exactly("table"), .persistence: .exactly("permanent"),
        ],
        sql: "table, permanent"
      )
      for column in table.columns {
        expectations[CatalogObject(.column, table: name, name: column.name.name)] =
          expectation(of: column)
        if let sequence = column.identitySequence {
          expectations[CatalogObject(.sequence, table: name, name: sequence.name)] =
            ObjectExpectation(
              requirements: [.column: .exactly(column.name.name)],
              sql: "sequence of column \(column.name)"
            )
        }
      }
      for constraint in table.constraints {
        expectations[CatalogObject(.constraint, table: name, name: constraint.name.name)] =
          expectation(of: constraint)
      }
      for index in table.indexes {
        expectations[CatalogObject(.index, table: name, name: index.name.name)] =
          expectation(of: index, table)
      }
      for trigger in table.triggers {
        let creation = CreateTrigger(table: table.name, trigger: trigger, columns: [])
        let statements = creation.sql(in: schema.name).texts
        expectations[CatalogObject(.trigger, table: name, name: trigger.name.name)] =
          ObjectExpectation(
            requirements: [
              .firing: .exactly("enabled"),
              .function: .exactly("\(schema.name).\(trigger.name)"),
            ],
            sql: statements.last ?? ""
          )
        expectations[CatalogObject(.function, table: name, name: trigger.name.name)] =
          ObjectExpectation(sql: statements.first ?? "")
      }
    }
    return expectations
  }

  // MARK: - Parts

  private func expectation(of column: Column) -> ObjectExpectation {
    var requirements: [ObjectDefinition.Facet: ObjectExpectation.Requirement] = [
      .nullability: .exactly(column.isNullable ? "NULL" : "NOT NULL"),
      .identity: .exactly(column.sequence?.kind.words),
      .defaultExpression: column.defaultExpression == nil && column.sequence?.kind != .serial
        ? .exactly(nil) : .something,
      .generation: column.generation == nil ? .exactly(nil) : .something,
      .collation: .exactly(nil),
    ]
    if column.type.isWordedAsTheServerDoes { requirements[.type] = .exactly(column.type.text) }
    let definition = column.definition(in: schema.name).text
    return ObjectExpectation(
      requirements: requirements,
      sql: String(definition.dropFirst(column.name.quoted.count + 1))
    )
  }

  private func expectation(of constraint: Constraint) -> ObjectExpectation {
    var requirements: [ObjectDefinition.Facet: ObjectExpectation.Requirement] = [
      .validity: .exactly("valid"), .enforcement: .exactly("enabled"),
      .deferrability: .exactly("NOT DEFERRABLE"),
    ]
    switch constraint.definition {
    case .primaryKey: requirements[.constraintKind] = .exactly("PRIMARY KEY")
    case .unique: requirements[.constraintKind] = .exactly("UNIQUE")
    case .check: requirements[.constraintKind] = .exactly("CHECK")
    case .foreignKey(let foreignKey):
      requirements[.constraintKind] = .exactly("FOREIGN KEY")
      requirements[.references] = .exactly("\(schema.name).\(foreignKey.references)")
      requirements[.deferrability] = .exactly(foreignKey.deferrability.words)
      requirements[.onDelete] = .exactly(foreignKey.onDelete.words)
    }
    if case .check = constraint.definition {
      // The server counts in all columns that the condition reads, in their order.
    } else {
      requirements[.columns] = .exactly(constraint.columns.map(\.name).joined(separator: ", "))
    }
    let clause = constraint.clause(in: schema.name).text
    let prefix = "CONSTRAINT \(constraint.name.quoted) "
    return ObjectExpectation(
      requirements: requirements,
      sql: String(clause.dropFirst(prefix.count))
    )
  }

  /// What people wrote as an index the server has in its own words.
  private func writtenExpectation(of index: Index, _ table: Table) -> ObjectExpectation {
    ObjectExpectation(
      requirements: [
        .uniqueness: .exactly(index.isUnique ? "unique" : nil), .validity: .exactly("valid"),
      ],
      sql: CreateIndex(table: table.name, index: index).sql(in: schema.name).texts
        .joined(separator: "; ")
    )
  }

  private func expectation(of index: Index, _ table: Table) -> ObjectExpectation {
    if index.definition != nil { return writtenExpectation(of: index, table) }
    let elements = index.elements.map { element in
      (element.column?.name ?? "(expression)") + (element.isDescending ? " DESC" : "")
    }
    return ObjectExpectation(
      requirements: [
        .columns: .exactly(elements.joined(separator: ", ")),
        .uniqueness: .exactly(index.isUnique ? "unique" : nil),
        .extent: .exactly(index.predicate == nil ? nil : "partial"),
        .validity: .exactly("valid"),
      ],
      sql: CreateIndex(table: table.name, index: index).sql(in: schema.name).texts
        .joined(separator: "; ")
    )
  }
}

extension ColumnSequence.Kind {
  /// The words by which the server's catalog is told; none of what only has a default.
  fileprivate var words: String? {
    switch self {
    case .identity: "BY DEFAULT"
    case .identityAlways: "ALWAYS"
    case .serial: nil
    }
  }
}

extension OperationSQL {
  /// The statements or clauses as text.
  fileprivate var texts: [String] {
    switch self {
    case .clauses(let fragments), .statements(let fragments): fragments.map(\.text)
    }
  }
}

extension SQLTypeName {
  /// A Boolean value that indicates whether the server would have the same text for the type.
  fileprivate var isWordedAsTheServerDoes: Bool {
    var element = text
    while element.hasSuffix("[]") { element.removeLast(2) }
    if let open = element.firstIndex(of: "("), element.hasSuffix(")") {
      let base = element[..<open]
      let modifiers = element[element.index(after: open)...].dropLast()
      switch base {
      case "numeric": return modifiers.contains(",") && !modifiers.contains(" ")
      case "character varying": return !modifiers.contains(",") && !modifiers.contains(" ")
      default: return false
      }
    }
    return Self.plainNames.contains(element)
  }

  private static let plainNames: Set<String> = [
    "smallint", "integer", "bigint", "numeric", "double precision", "real", "text", "boolean",
    "timestamp with time zone", "bytea", "uuid", "jsonb", "date", "time without time zone",
    "interval", "inet", "character varying",
  ]
}
