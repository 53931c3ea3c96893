public import MigrationPlanning
package import PostgresClient

/// The result of a precondition.
public struct PreconditionFinding: Hashable, Sendable {
  /// The precondition.
  public let precondition: PlannedPrecondition
  /// How many rows offend; none if the role may not read them.
  public let count: Int?
  /// A few of their keys.
  public let sampleKeys: String?
  /// The keys of up to five offending rows, each as text.
  public package(set) var exampleKeys: [String] = []

  /// A Boolean value that indicates whether the rows do not allow the plan.
  public var isViolated: Bool { (count ?? 0) > 0 }
}

extension PreconditionFinding {
  /// Creates a result.
  package init(precondition: PlannedPrecondition, count: Int?, sampleKeys: String?) {
    self.precondition = precondition
    self.count = count
    self.sampleKeys = sampleKeys
  }

  /// Checks a precondition.
  ///
  /// - Throws: The server's error, unless the role may not read the rows, or they are locked, or a
  ///   value fails to convert; then the count stays open.
  package static func asking(
    _ precondition: PlannedPrecondition,
    _ connection: borrowing PostgresConnection
  ) throws -> PreconditionFinding {
    do {
      return try PreconditionFinding(asking: precondition, connection)
    } catch let error as PostgresError
      where error.sqlState == .insufficientPrivilege
      || error.sqlState == .lockNotAvailable || error.sqlState == .undefinedTable
      || error.sqlState == .undefinedColumn || error.sqlState?.isDataException == true
    {
      return PreconditionFinding(precondition: precondition, count: nil, sampleKeys: nil)
    }
  }

  /// Checks several preconditions in order, up to one that cannot be checked because of an earlier
  /// one's result.
  ///
  /// - Throws: The server's error for the first one that cannot be checked for another reason.
  static func asking(
    inOrder questions: [PlannedPrecondition],
    _ connection: borrowing PostgresConnection
  ) throws -> [PreconditionFinding] {
    var findings: [PreconditionFinding] = []
    for question in questions {
      do {
        findings.append(try PreconditionFinding(asking: question, connection))
      } catch let error as PostgresError
        where error.sqlState?.isDataException == true && findings.contains(where: \.isViolated)
      {
        return findings
      }
    }
    return findings
  }

  init(asking precondition: PlannedPrecondition, _ connection: borrowing PostgresConnection) throws
  {
    let row = try connection.query(precondition.query).first
    self.init(
      precondition: precondition,
      count: row?.integer("count"),
      sampleKeys: row?["keys"]
    )
  }
}
