public import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

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
      where error.leavesRowsUnread
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

extension PreconditionFinding {
  /// Returns the finding with the keys of a few offending rows, each by itself.
  ///
  /// - Throws: The server's error, unless the rows cannot be read; then there are no keys.
  package func withExampleKeys(
    _ connection: borrowing PostgresConnection
  ) throws -> PreconditionFinding {
    guard isViolated, let count, let query = precondition.examplesQuery else { return self }
    var finding = self
    let parts = (sampleKeys ?? "").split(separator: ", ", omittingEmptySubsequences: false)
    // A key that has the separator itself makes more parts than there are keys.
    if parts.count == min(count, PlannedPrecondition.exampleCount) {
      finding.exampleKeys = parts.map(String.init)
    } else {
      do {
        finding.exampleKeys = try Self.keys(by: query, connection)
      } catch let error as PostgresError where error.leavesRowsUnread {
        finding.exampleKeys = []
      }
    }
    return finding
  }

  private static func keys(
    by query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> [String] {
    try connection.query(query).rows.compactMap { $0.first ?? nil }
  }
}

extension PostgresError {
  /// A Boolean value that indicates whether a query of rows has failed because the role may not read them,
  /// they are locked, they are not there yet, or a value fails to convert.
  package var leavesRowsUnread: Bool {
    sqlState == .insufficientPrivilege || sqlState == .lockNotAvailable
      || sqlState == .undefinedTable || sqlState == .undefinedColumn
      || sqlState?.isDataException == true
  }
}
