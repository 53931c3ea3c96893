extension ObjectDefinition {
  /// Returns the definition in a line.
  func text(of kind: CatalogObject.Kind) -> String {
    switch kind {
    case .schema, .metadata: ""
    case .table:
      joined([
        self[.relationKind], self[.persistence],
        self[.rowSecurity].map { "row security \($0)" },
        self[.replicaIdentity].map { "replica identity \($0)" },
        self[.inherits].map { "child of \($0)" },
        self[.accessMethod].map { "access method \($0)" },
      ])
    case .column: columnText
    case .constraint:
      joined([
        self[.definition],
        self[.validity] == "valid" ? nil : self[.validity],
        self[.enforcement] == "enabled" ? nil : self[.enforcement].map { "its triggers \($0)" },
      ])
    case .index:
      joined([self[.definition], self[.validity] == "valid" ? nil : self[.validity]])
    case .sequence: sequenceText
    case .trigger:
      joined([self[.definition], self[.firing] == "enabled" ? nil : self[.firing]])
    case .function, .rule, .policy, .child: self[.definition] ?? ""
    }
  }

  private var columnText: String {
    [
      self[.type], self[.collation].map { "COLLATE \($0)" },
      self[.defaultExpression].map { "DEFAULT \($0)" },
      self[.generation].map { "GENERATED ALWAYS AS \($0)" },
      self[.nullability] == "NULL" ? nil : self[.nullability],
      self[.identity].map { "GENERATED \($0) AS IDENTITY" },
    ].compactMap(\.self).joined(separator: " ")
  }

  /// The parameters of a sequence, as ALTER SEQUENCE has them.
  var sequenceText: String {
    [
      self[.type].map { "AS \($0)" }, self[.increment].map { "INCREMENT BY \($0)" },
      self[.minimum].map { "MINVALUE \($0)" }, self[.maximum].map { "MAXVALUE \($0)" },
      self[.start].map { "START WITH \($0)" }, self[.cache].map { "CACHE \($0)" },
      self[.cycle],
    ].compactMap(\.self).joined(separator: " ")
  }

  private func joined(_ parts: [String?]) -> String {
    parts.compactMap(\.self).joined(separator: ", ")
  }
}
