public import MigrationPlanning
internal import PostgresClient

/// What a precondition counts.
public struct PreconditionFinding: Hashable, Sendable {
  /// The precondition.
  public let precondition: PlannedPrecondition
  /// How many rows offend; none if the role may not read them.
  public let count: Int?
  /// A few of their keys.
  public let sampleKeys: String?

  /// A Boolean value that indicates whether the rows do not allow the plan.
  public var isViolated: Bool { (count ?? 0) > 0 }
}

extension PreconditionFinding {
  /// Asks the rows; a role that may not read them leaves the count open.
  init(asking precondition: PlannedPrecondition, _ connection: borrowing PostgresConnection) throws
  {
    let row = try connection.query(precondition.query).first
    self.precondition = precondition
    count = row?.integer("count")
    sampleKeys = row?["keys"]
  }
}
