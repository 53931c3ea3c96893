public import Diagnostics
public import MigrationExecution
internal import MigrationPlanning
internal import SQLSyntax

extension RehearsalReport {
  /// What may not have been expected, for people: what was measured and is not as it was said, too.
  public var diagnostics: [Diagnostic] {
    warnings
      + steps.flatMap { step in
        step.statements.enumerated().compactMap { index, statement in
          guard let comparison = statement.comparison, comparison.verdict == .different else {
            return nil
          }
          return Diagnostic(
            .warning,
            "statement \(index + 1) of the step to version \"\(step.destination)\" is not what the "
              + "plan says of it",
            detail: comparison.differences.map(\.sentence).shownInLines,
            context: statement.statement.reason
          )
        }
      }
  }
}

extension ImpactComparison.Difference {
  /// What is not as it was said, in a sentence.
  public var sentence: String {
    switch self {
    case .lock(let table, let predicted?, let measured?):
      "Table \"\(table)\" is locked in mode \(measured.name), not \(predicted.name)."
    case .lock(let table, nil, let measured?):
      "Table \"\(table)\" is locked in mode \(measured.name)."
    case .lock(let table, let predicted, nil):
      "Table \"\(table)\" is not locked\(predicted.map { " in mode \($0.name)" } ?? "")."
    case .rewrite(let table, let isMeasured):
      "Table \"\(table)\" is \(isMeasured ? "" : "not ")written anew."
    case .scan(let table): "Table \"\(table)\" is read from end to end."
    }
  }
}

/// A rehearsal that ended as the migration would.
public struct RehearsalFailure: DiagnosticError {
  /// What the migration would end with.
  public let error: any DiagnosticError

  /// What the migration would end with, for people.
  public var diagnostics: [Diagnostic] {
    error.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.message = "in the rehearsal: " + diagnostic.message
      return diagnostic
    }
  }
}
