package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Finds the objects outside of a store that use its tables, with everything necessary to create
/// them again.
package struct DependentInspection {
  private let objects: StoreObjects

  /// Creates an inspection of the users of a store's tables.
  package init(_ objects: StoreObjects) {
    self.objects = objects
  }

  /// Reads the dependent objects: three queries where there are none.
  ///
  /// - Parameter connection: A connection whose `search_path` has no schemas of users in it, so that
  ///   the server's definitions name everything with its schema.
  /// - Returns: The objects in the order of their names.
  /// - Throws: The server's error.
  package func dependents(
    _ connection: borrowing PostgresConnection
  ) throws -> [DependentObject] {
    var attempts = 0
    while true {
      do {
        return try foundDependents(connection)
      } catch {
        // Objects that others drop between one look at the catalog and the next have no definitions.
        attempts += 1
        guard attempts < 5, connection.transactionStatus == .idle, Self.isOfGoneObject(error) else {
          throw error
        }
        Interruption().sleep(seconds: 0.05)
      }
    }
  }

  private static func isOfGoneObject(_ error: any Error) -> Bool {
    guard let error = error as? PostgresError else { return error is DecodingError }
    return error.sqlState == .internalError || error.sqlState == .undefinedTable
      || error.sqlState == .undefinedObject
  }

  private func foundDependents(
    _ connection: borrowing PostgresConnection
  ) throws -> [DependentObject] {
    try ActingRole.choose(for: objects, connection)
    let settings = try settings(connection)
    let dependencies = try DependencyQuery(objects).dependencies(connection)
    guard !dependencies.isEmpty else { return settings }
    var found: [CatalogAddress: DependentObject] = [:]
    var order: [CatalogAddress] = []
    for dependency in dependencies where found[dependency.user] == nil {
      order.append(dependency.user)
      found[dependency.user] = Self.object(of: dependency)
    }
    let names = found.mapValues(\.name)
    for dependency in dependencies {
      switch dependency.usage {
      case .store(let usage): found[dependency.user]?.uses.insert(usage)
      case .dependent(let used):
        if let name = names[used] { found[dependency.user]?.usedDependents.insert(name) }
      }
    }
    try addRecreations(to: &found, connection)
    // The index of a constraint is dropped with it.
    found = found.filter { $0.value.kind != .index || $0.value.partName != nil }
    Self.addUsedParts(to: &found)
    return order.compactMap { found[$0] } + settings
  }

  /// Reads the settings of the tables themselves.
  private func settings(
    _ connection: borrowing PostgresConnection
  ) throws -> [DependentObject] {
    let tables = JSONText.text(Set(objects.columns.map(\.table.name)).sorted())
    let found = try connection.query(
      TableSettingsDefinition.query,
      [objects.schema.name, tables]
    )
    return try found.rows.compactMap { row in
      try JSONText.value(TableSettingsDefinition.self, in: row.first ?? nil).object(in: objects)
    }
  }

  /// Adds objects that use a constraint or an index of a dependent object, which is dropped and
  /// created again.
  private static func addUsedParts(to found: inout [CatalogAddress: DependentObject]) {
    var names: [DependentObject.Usage: String] = [:]
    for object in found.values {
      guard let table = object.attachedTable, let part = object.partName else { continue }
      names[.part(table, part)] = object.name
    }
    guard !names.isEmpty else { return }
    for (address, object) in found {
      let used = object.uses.compactMap { names[$0] }.filter { $0 != object.name }
      found[address]?.usedDependents.formUnion(used)
    }
  }

  private static func object(of dependency: DependencyQuery.Dependency) -> DependentObject {
    let kind = kind(of: dependency.type)
    let type = kind == .publicationTable ? "table" : dependency.type
    return DependentObject(
      name: "\(type) \(dependency.identity)",
      kind: kind,
      attachedTable: dependency.attachedTable,
      uses: [],
      recreation: .impossible("Remodel does not know how to make objects of this kind again.")
    )
  }

  /// The server has dozens of kinds; these are the ones that a migration can handle.
  private static func kind(of type: String) -> DependentObject.Kind {
    switch type {
    case "view": .view
    case "materialized view": .materializedView
    case "function", "procedure": .routine
    case "rule": .rule
    case "trigger": .trigger
    case "policy": .policy
    case "statistics object": .statistics
    case "publication relation": .publicationTable
    case "index": .index
    case "table constraint": .constraint
    case "table column", "foreign table column", "default value": .column
    default: .other
    }
  }

  private func addRecreations(
    to found: inout [CatalogAddress: DependentObject],
    _ connection: borrowing PostgresConnection
  ) throws {
    func add<Definition: DependentDefinition>(
      _ definition: Definition.Type,
      to kinds: Set<DependentObject.Kind>,
      in found: inout [CatalogAddress: DependentObject],
      _ connection: borrowing PostgresConnection
    ) throws {
      let addresses = Dictionary(
        found.filter { kinds.contains($0.value.kind) }.map { ($0.key.objectID, $0.key) },
        uniquingKeysWith: { first, _ in first }
      )
      guard !addresses.isEmpty else { return }
      let numbers = JSONText.text(addresses.keys.sorted().map(String.init))
      for text in try connection.query(Definition.query, [numbers]).rows {
        let definition = try JSONText.value(Definition.self, in: text.first ?? nil)
        guard let address = addresses[definition.circumstances.objectID] else { continue }
        found[address]?.recreation = definition.recreation
        found[address]?.earlyCreation = objects.stagingSchema.flatMap(definition.earlyCreation)
        found[address]?.calledRoutine = definition.calledRoutine
        found[address]?.unrecognizedParameters = definition.unrecognizedParameters
        found[address]?.partName = definition.partName.map { SQLIdentifier($0) }
      }
    }
    try add(ViewDefinition.self, to: [.view, .materializedView], in: &found, connection)
    try add(RoutineDefinition.self, to: [.routine], in: &found, connection)
    try add(PolicyDefinition.self, to: [.policy], in: &found, connection)
    try add(TriggerDefinition.self, to: [.trigger], in: &found, connection)
    try add(RuleDefinition.self, to: [.rule], in: &found, connection)
    try add(StatisticsDefinition.self, to: [.statistics], in: &found, connection)
    try add(PublicationTableDefinition.self, to: [.publicationTable], in: &found, connection)
    try add(ConstraintDefinition.self, to: [.constraint], in: &found, connection)
    try add(IndexDefinition.self, to: [.index], in: &found, connection)
  }
}
