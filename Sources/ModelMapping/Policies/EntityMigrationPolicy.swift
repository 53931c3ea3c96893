/// Code that takes part in an entity mapping: it gives SQL for the stages, or makes the rows.
///
/// A policy is registered under the class name that the mapping has:
///
/// ```swift
/// RemodelConfiguration(modelsPath: "migrations", policies: ["BookPolicy": BookPolicy()])
/// ```
///
/// Both ways do nothing unless a policy implements them. What runs on the server costs no more than
/// if the mapping said it; rows that pass through code cannot be copied while others write.
public protocol EntityMigrationPolicy: Sendable {
  /// Another text whenever the policy would make other rows of the same ones.
  ///
  /// It is a part of the plan: a copy that was begun with one version is not continued with another.
  var version: String { get }

  /// Returns SQL for stages of a mapping, as if the mapping said it.
  ///
  /// It is asked whenever a migration is planned, and gives the same for the same mapping.
  ///
  /// - Parameter mapping: The mapping as its file has it.
  /// - Returns: The SQL.
  /// - Throws: Why there is none for this mapping.
  func statements(
    for mapping: EntityMapping
  ) throws -> [SQLMigrationPolicy.Stage: SQLTemplate]

  /// Returns what the policy makes of rows in code.
  ///
  /// It is asked whenever a migration is planned, and gives the same for the same mapping.
  ///
  /// - Parameter mapping: The mapping as its file has it.
  /// - Returns: What it is handed and what it sets; none if the server makes the rows.
  /// - Throws: Why it makes none for this mapping.
  func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation?

  /// Makes rows of the destination from some of the source.
  ///
  /// It is handed every row that takes part, in the order of the keys, a batch at a time, and may be
  /// handed a row again: what a transaction that was cut off has made is gone. It is called on the
  /// thread that migrates, several at a time where several sessions copy, and has a minute for a
  /// batch; batches get smaller where they take long.
  ///
  /// - Parameters:
  ///   - instances: The rows.
  ///   - mapping: The mapping, with what the file leaves to inference.
  /// - Returns: The rows of the destination, in any order.
  /// - Throws: Why there are none, which ends the migration.
  func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping
  ) throws -> [DestinationInstance]
}

extension EntityMigrationPolicy {
  /// Returns no SQL.
  public func statements(
    for mapping: EntityMapping
  ) throws -> [SQLMigrationPolicy.Stage: SQLTemplate] {
    [:]
  }

  /// Leaves the rows to the server.
  public func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? { nil }

  /// Makes one row for each, with the default values of the attributes.
  public func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping
  ) throws -> [DestinationInstance] {
    instances.map(DestinationInstance.init(of:))
  }
}
