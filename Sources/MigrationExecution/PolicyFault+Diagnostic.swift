internal import Diagnostics
internal import ModelMapping
internal import PostgresClient

extension ExecutionError.PolicyFault {
  /// What happened, for people.
  func diagnostic(_ mapping: String, _ policy: String, _ key: String?) -> Diagnostic {
    let row = key.map { " at the row with key \($0)" } ?? ""
    let message = "policy \"\(policy)\" of entity mapping \"\(mapping)\" failed\(row)"
    switch self {
    case .threw(let words):
      return Diagnostic(message, detail: words, hint: "Mend the row or the policy, and run again.")
    case .lacksValue(let name):
      return Diagnostic(
        message,
        detail: "It has given attribute \"\(name)\" no value, which is required.",
        hint: "Set it, make no row, or make the attribute optional."
      )
    case .madeOtherCount(let count, let allowed):
      return Diagnostic(
        message,
        detail: "It has made \(count) rows of it, and has said that it makes \(allowed.phrase).",
        hint: "Say with \"count\" of its instance creation how many rows it makes."
      )
    case .madeOfOtherRow:
      return Diagnostic(
        message,
        detail: "It has made a row of one that it was not handed.",
        hint: "Make rows of those that are handed over in the same call."
      )
    case .refused(let error):
      var diagnostic = Diagnostic(
        message,
        detail: "The server refuses what it has made: \(error.message).",
        hint: "Mend the row or the policy, and run again."
      )
      diagnostic.sqlState = error.sqlState?.rawValue
      return diagnostic
    case .notRegistered:
      return Diagnostic(
        "no policy \"\(policy)\" is registered for entity mapping \"\(mapping)\"",
        hint: "Use the executable that it was planned with."
      )
    }
  }
}

extension InstanceCreation.Count {
  fileprivate var phrase: String {
    switch self {
    case .one: "one"
    case .atMostOne: "one at most"
    case .any: "any number"
    }
  }
}
