/// Code of an entity mapping, which returns SQL for the stages, or creates the rows.
///
/// A policy is registered under the class name that the mapping has:
///
/// ```swift
/// RemodelConfiguration(modelsPath: "migrations", policies: ["BookPolicy": BookPolicy()])
/// ```
///
/// Both have default implementations without effects. SQL on the server costs no more than in the
/// mapping; rows that pass through code cannot be copied while others write.
public protocol EntityMigrationPolicy: Sendable {
  /// A text that must change whenever the policy would create other rows from the same ones.
  ///
  /// It is part of the plan: a copy begun with one version is not continued with another.
  var version: String { get }

  /// The methods that expressions of the mapping can call, by their names: `"icon:"`.
  ///
  /// Every plan asks for this; it must always be the same.
  var methods: [String: PolicyMethod] { get }

  /// Returns SQL for stages of a mapping, as if the mapping contained it.
  ///
  /// Every plan calls this; it must always return the same SQL for the same mapping.
  ///
  /// - Parameter mapping: The mapping of the file.
  /// - Returns: The SQL.
  /// - Throws: The reason why there is none for this mapping.
  func statements(
    for mapping: EntityMapping
  ) throws -> [SQLMigrationPolicy.Stage: SQLTemplate]

  /// Returns the values that the policy reads and sets when it creates rows in code.
  ///
  /// Every plan calls this; it must always return the same for the same mapping.
  ///
  /// - Parameter mapping: The mapping of the file.
  /// - Returns: The values that it reads and sets; `nil` if the server creates the rows.
  /// - Throws: The reason why it creates none for this mapping.
  func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation?

  /// Creates rows of the destination from rows of the source.
  ///
  /// The migration calls this with every row of the mapping, in the order of the keys, in batches.
  /// It may pass a row again, because an interrupted transaction loses its rows. It calls it on the
  /// migrating thread, or on several threads at a time if several sessions copy. A batch has one
  /// minute; batches get smaller if they are slow.
  ///
  /// - Parameters:
  ///   - instances: The rows.
  ///   - mapping: The mapping, completed by inference.
  /// - Returns: The rows of the destination, in any order.
  /// - Throws: An error that ends the migration.
  func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping
  ) throws -> [DestinationInstance]

  /// Creates rows of the destination, and rows of other entities through the manager.
  ///
  /// The migration calls this in place of the method without a manager if the policy uses the manager.
  /// The rows of all batches, and those of other mappings of the step, share it.
  ///
  /// - Parameters:
  ///   - instances: The rows.
  ///   - mapping: The mapping, completed by inference.
  ///   - manager: The manager.
  /// - Returns: The rows of the destination, in any order.
  /// - Throws: An error that ends the migration.
  func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws -> [DestinationInstance]
}

extension EntityMigrationPolicy {
  /// No methods.
  public var methods: [String: PolicyMethod] { [:] }

  /// Returns no SQL.
  public func statements(
    for mapping: EntityMapping
  ) throws -> [SQLMigrationPolicy.Stage: SQLTemplate] {
    [:]
  }

  /// Leaves the rows to the server.
  public func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? { nil }

  /// Creates the rows without the manager.
  public func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws -> [DestinationInstance] {
    try createDestinationInstances(forSource: instances, in: mapping)
  }

  /// Makes one row for each, with the default values of the attributes.
  public func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping
  ) throws -> [DestinationInstance] {
    instances.map(DestinationInstance.init(of:))
  }
}
