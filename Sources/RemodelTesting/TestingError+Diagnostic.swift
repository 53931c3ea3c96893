public import Diagnostics
internal import RemodelKit

extension TestingError {
  /// The faults, for people.
  public var diagnostics: [Diagnostic] {
    switch fact {
    case .noModels(let path, let file):
      [
        Diagnostic(
          "there is no model at \"\(path)\"",
          detail: "It was looked for in the folders that \"\(file)\" is in, and in the working "
            + "directory.",
          hint: "Name a path that is relative to one of them, or an absolute one."
        )
      ]
    case .differs(let report): report.differences
    case .versionsFailed(let failures, let target):
      failures.flatMap { failure in
        [
          Diagnostic(
            "a database at version \"\(failure.name)\" does not come to version \"\(target)\""
          )
        ] + failure.diagnostics
      }
    case .noColumn(let name, let columns):
      [
        Diagnostic(
          "the rows have no column \"\(name)\"",
          detail: "They have: \(columns.joined(separator: ", "))."
        )
      ]
    case .notDecodable(let value, let column, let type):
      [
        Diagnostic(
          "a value of column \"\(column)\" is no \(type)",
          detail: value.map { "It is \"\($0)\"." } ?? "It is NULL."
        )
      ]
    }
  }
}

extension VerificationReport {
  /// The differences of a report.
  fileprivate var differences: [Diagnostic] {
    guard let version else { return [Diagnostic("the database is at no version")] }
    var differences: [Diagnostic] = []
    if let job {
      differences.append(Diagnostic("copy job \(job.id) is not ended"))
    }
    if isUnfinished {
      differences.append(
        Diagnostic("version \"\(version.name)\" has something left that a release relies on")
      )
    }
    for drift in drift {
      let facts = [drift.expected.map { "Expected: \($0)" }, drift.actual.map { "Actual: \($0)" }]
      differences.append(
        Diagnostic(
          "\(drift.object) is \(drift.change.rawValue)",
          detail: facts.compactMap(\.self).joined(separator: "\n"),
          hint: drift.hint
        )
      )
    }
    for finding in findings ?? [] where finding.isViolated {
      differences.append(
        Diagnostic(
          "\(finding.count ?? 0) rows break a rule: \(finding.precondition.requirement)",
          detail: finding.sampleKeys.map { "Keys: \($0)." },
          hint: finding.precondition.remedy
        )
      )
    }
    return differences
  }
}
