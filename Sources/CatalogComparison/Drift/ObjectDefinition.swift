internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

/// The catalog's definition of an object, facet by facet, in the server's own words.
public struct ObjectDefinition: Hashable, Sendable {
  /// A facet of an object's definition.
  public enum Facet: String, Hashable, Sendable, CaseIterable {
    // Of tables.
    case relationKind, partitionKey, distribution, persistence, rowSecurity, replicaIdentity
    case inherits, accessMethod, owner
    case storage
    // Of columns.
    case type, collation, nullability, notNullConstraint, defaultExpression, identity, generation
    // Of constraints; those that have an index or refer to a table have `columns`, too.
    case constraintKind, columns, references, onDelete, deferrability, enforcement
    // Of constraints and indexes.
    case validity
    // Of indexes.
    case uniqueness, extent
    // Of sequences.
    case column, start, increment, minimum, maximum, cache, cycle
    // Of triggers.
    case firing, function
    /// The statement or clause that would create it again.
    case definition
  }

  /// The facets; one that is known not to be there is `nil`, one that is not known is missing.
  package var facets: [Facet: String?]

  /// Creates a definition.
  package init(_ facets: [Facet: String?]) {
    self.facets = facets
  }

  /// The text of a facet; none if it is not there or not known.
  package subscript(facet: Facet) -> String? { facets[facet] ?? nil }

  /// Returns whether it is known that there is such a facet, or that there is none.
  package func knows(_ facet: Facet) -> Bool { facets[facet] != nil }
}

extension ObjectDefinition {
  /// The storage parameters that the catalog has, by name.
  var storage: [String: String] {
    let pairs = (self[.storage] ?? "").split(separator: ", ").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    return Dictionary(
      pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the text of storage parameters in a definition; none if there are none.
  static func storageText(_ parameters: [String: String]) -> String? {
    guard !parameters.isEmpty else { return nil }
    return parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: ", ")
  }
}

extension [CatalogObject: ObjectDefinition] {
  /// Returns the definitions with those storage parameters alone that a model sets, spelled as in
  /// models: all others are people's.
  func keepingStorage(of schema: DatabaseSchema) -> Self {
    var kept = self
    for table in schema.tables.values {
      let object = CatalogObject(.table, table: table.name.name)
      guard let definition = self[object], definition.knows(.storage) else { continue }
      var own = definition.storage.filter { table.storage[$0.key] != nil }
      for (name, value) in own {
        own[name] = StorageParameter(rawValue: name)?.value(ofServer: value) ?? value
      }
      kept[object]?.facets.updateValue(ObjectDefinition.storageText(own), forKey: .storage)
    }
    return kept
  }
}

extension [CatalogObject: ObjectDefinition] {
  /// Returns the definitions with how rows are spread over nodes, of those tables whose model says so.
  ///
  /// - Parameters:
  ///   - kinds: What the tables are on the server; `nil` where the definitions are to be as the model has them.
  ///   - schema: The tables of the model.
  /// - Returns: The definitions.
  func withDistributions(_ kinds: TableKinds?, of schema: DatabaseSchema) -> Self {
    var objects = self
    for table in schema.tables.values {
      guard let declared = table.distribution else { continue }
      var actual: String? = declared.description
      if let kinds, !declared.isThat(of: table.name, in: kinds) {
        actual = kinds[table.name]?.placement?.description
      }
      objects[CatalogObject(.table, table: table.name.name)]?.facets.updateValue(
        actual,
        forKey: .distribution
      )
    }
    return objects
  }

  /// Returns the definitions without what a kind of table adds to them that the model does not declare.
  func comparable(_ kinds: TableKinds, in schema: DatabaseSchema) -> Self {
    // Partitions are as little part of the definition as rows are.
    var objects = filter { $0.key.kind != .child || $0.value[.relationKind] != "partition" }
    for (table, kind) in kinds.tables where kind.partitionKey != nil {
      let object = CatalogObject(.table, table: table.name)
      // Only partitions have one.
      objects[object]?.facets.updateValue(nil, forKey: .accessMethod)
      guard schema.tables[table]?.partitioning == nil,
        objects[object]?[.relationKind] == "partitioned table"
      else { continue }
      objects[object]?.facets.updateValue("table", forKey: .relationKind)
      objects[object]?.facets.updateValue(nil, forKey: .partitionKey)
    }
    return objects
  }
}

extension ObjectDefinition.Facet {
  /// A Boolean value that indicates whether the server deparses the text from expressions, which
  /// other versions of it may do differently.
  var isDeparsed: Bool {
    switch self {
    case .defaultExpression, .generation, .definition: true
    case .relationKind, .partitionKey, .distribution, .persistence, .rowSecurity, .replicaIdentity,
      .inherits,
      .accessMethod,
      .owner, .storage, .type, .collation, .nullability, .notNullConstraint, .identity,
      .constraintKind,
      .columns, .references, .onDelete, .deferrability, .enforcement, .validity, .uniqueness,
      .extent, .column, .start, .increment, .minimum, .maximum, .cache, .cycle, .firing, .function:
      false
    }
  }

  /// A Boolean value that indicates whether it is none of the model's business.
  var isNoted: Bool { self == .owner }
}
extension ObjectDefinition {
  /// Returns the definition in a line.
  func text(of kind: CatalogObject.Kind) -> String {
    switch kind {
    case .schema, .metadata, .view: ""
    case .table:
      joined([
        self[.relationKind], self[.partitionKey].map { "partition key \($0)" },
        self[.distribution], self[.persistence],
        self[.rowSecurity].map { "row security \($0)" },
        self[.replicaIdentity].map { "replica identity \($0)" },
        self[.inherits].map { "child of \($0)" },
        self[.accessMethod].map { "access method \($0)" },
        self[.storage].map { "storage \($0)" },
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
