public import Diagnostics
public import MigrationExecution
internal import MigrationPlanning
internal import SQLSyntax

/// How a plan is rehearsed.
public enum Rehearsal: Hashable, Sendable {
  /// On a throwaway server with the schema of the database and so many rows of each of its tables.
  case apart(rows: Int)
  /// In the database itself, in a transaction that is undone.
  case live
}

/// The result of a rehearsal.
public struct RehearsalReport: Sendable {
  /// How it was rehearsed.
  public let rehearsal: Rehearsal
  /// The number of the version of the server that it was done on.
  public let serverVersion: Int
  /// How many rows there were; none where they are the database's own.
  public let rowCount: Int?
  /// The steps that were carried out.
  public let steps: [RehearsedStep]
  /// The warnings.
  public let warnings: [Diagnostic]
}

extension RehearsalReport {
  /// Warnings for people, including measurements that differ from the forecast.
  public var diagnostics: [Diagnostic] {
    warnings
      + steps.flatMap { step in
        step.statements.enumerated().compactMap { index, statement in
          guard let comparison = statement.comparison, comparison.verdict == .different else {
            return nil
          }
          return Diagnostic(
            .warning,
            "statement \(index + 1) of the step to version \"\(step.destination)\" differs from its "
              + "forecast",
            detail: comparison.differences.map(\.sentence).shownInLines,
            context: statement.statement.reason
          )
        }
      }
  }
}

extension ImpactComparison.Difference {
  /// The difference, in a sentence.
  package var sentence: String {
    switch self {
    case .lock(let table, let predicted?, let measured?):
      "Table \"\(table)\" is locked in mode \(measured.name), not \(predicted.name)."
    case .lock(let table, nil, let measured?):
      "Table \"\(table)\" is locked in mode \(measured.name)."
    case .lock(let table, let predicted, nil):
      "Table \"\(table)\" is not locked\(predicted.map { " in mode \($0.name)" } ?? "")."
    case .rewrite(let table, let isMeasured):
      "Table \"\(table)\" is \(isMeasured ? "" : "not ")rewritten."
    case .scan(let table): "Table \"\(table)\" is read from end to end."
    }
  }
}

/// A rehearsal that ended as the migration would.
public struct RehearsalFailure: DiagnosticError {
  /// The error of the migration.
  public let error: any DiagnosticError

  /// The error of the migration, for people.
  public var diagnostics: [Diagnostic] {
    error.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.message = "in the rehearsal: " + diagnostic.message
      return diagnostic
    }
  }
}
