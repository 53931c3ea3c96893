import RemodelKit

/// A store among those whose status is shown together.
struct StoreStatus: Sendable {
  /// Its name.
  let name: String
  /// The options that name this store alone.
  private let options: StoreOptions
  /// Its status; `nil` if it could not be read.
  let report: StatusReport?
  /// Why it could not be read, in a line.
  let failure: String?

  /// Creates the only store of a report.
  init(_ report: StatusReport) {
    name = "\(report.database), schema \"\(report.schema)\""
    options = .current
    self.report = report
    failure = nil
  }

  /// Creates a store among many.
  init(_ result: TargetResult<StatusReport>, outcome: String) {
    name = result.target.name
    options = StoreOptions.current.of(result.target)
    report = result.report
    let error = result.error.map { ErrorReport($0).diagnostics.first?.message ?? "" }
    failure = result.report == nil ? error ?? outcome.replacing("-", with: " ") : nil
  }
}

extension StoreStatus {
  /// What somebody has to look at, the most urgent first.
  enum Concern: CaseIterable {
    case failed, blocked, drifted, job, pending, older

    /// The concern, before a number of stores.
    var label: String {
      switch self {
      case .failed: "Not read"
      case .blocked: "No way to the target"
      case .drifted: "Drifted"
      case .job: "Unfinished"
      case .pending: "Left to do"
      case .older: "To migrate"
      }
    }
  }

  /// What somebody has to look at, the most urgent first; empty if nothing is to be done.
  var concerns: [Concern] {
    guard let report else { return [.failed] }
    var concerns: [Concern] = []
    switch report.state {
    case .blocked, .newer: concerns.append(.blocked)
    case .creating: concerns.append(.job)
    case .empty, .behind, .older, .reverted: concerns.append(.older)
    case .current: break
    }
    if report.drift?.isEmpty == false { concerns.append(.drifted) }
    if report.job != nil, !concerns.contains(.job) { concerns.append(.job) }
    if !report.pending.isEmpty { concerns.append(.pending) }
    return Concern.allCases.filter(concerns.contains)
  }

  /// The call that leads on from here; `nil` if there is none.
  var nextCall: CommandCall? {
    // What else there is to do may depend on what has drifted.
    report?.drift?.isEmpty == false ? CommandCall("verify") : report?.nextCall
  }

  /// The call that leads on from here, for this store alone.
  var nextMarkup: Markup { nextCall.map { Markup($0, completed: options.completing($0)) } ?? "" }
}

extension [Drift] {
  /// How much has drifted, in a few words.
  var summary: String { isEmpty ? "none" : "\(counted(count, "object")) drifted" }
}
