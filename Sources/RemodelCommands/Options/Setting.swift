import RemodelKit

/// A value with its origin.
struct Setting: Hashable, Sendable {
  /// The origin.
  enum Source: Hashable, Sendable {
    case option(String)
    case variable(String)
    case argument(String)
  }

  /// The origin.
  let source: Source
  /// The value as it was written.
  let text: String

  /// The origin, for people.
  var origin: String {
    switch source {
    case .option(let name): "option \(name)"
    case .variable(let name): "environment variable \(name)"
    case .argument(let name): "argument \(name)"
    }
  }
}

extension Setting {
  func duration() throws(UsageError) -> Duration {
    guard let duration = Duration(text: text) else {
      throw unusable(
        "a duration",
        hint: "Write a number with a unit: 500ms, 2s, 5m, 1h or 7d."
      )
    }
    return duration
  }

  /// The value as one of some words.
  func choice<Choice: RawRepresentable>(
    among choices: [Choice]
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      throw notAmong(choices.map(\.rawValue))
    }
    return choice
  }

  /// Returns the error of a value that is none of some words.
  func notAmong(_ words: [String]) -> UsageError {
    unusable(
      "one of \(words.joined(separator: ", "))",
      hint: Self.didYouMean(text, among: words)
    )
  }

  /// The value as a number of sessions.
  func sessionCount() throws(UsageError) -> Int {
    // More are of no use on any server.
    let most = 64
    guard let number = Int(text), (1...most).contains(number) else {
      throw unusable("a number from 1 to \(most)")
    }
    return number
  }

  /// The value as a number from 1 on.
  func positiveNumber() throws(UsageError) -> Int {
    guard let number = Int(text), number > 0 else { throw unusable("a number from 1 on") }
    return number
  }

  /// The value as a name in the database.
  func identifier() throws(UsageError) -> SQLIdentifier {
    SQLIdentifier(try nonEmpty("a name"))
  }

  /// The value, which may not be empty.
  func nonEmpty(_ expectation: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw unusable(expectation) }
    return text
  }

  /// Returns the error for an unexpected value.
  func unusable(_ expectation: String, hint: String? = nil) -> UsageError {
    UsageError(.unusableValue(self, expectation: expectation, hint: hint))
  }

  static func didYouMean(_ text: String, among words: [String]) -> String? {
    suggestion(for: text, among: words).map { "Did you mean \"\($0)\"?" }
  }
}
