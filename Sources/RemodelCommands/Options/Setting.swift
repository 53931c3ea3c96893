import RemodelKit

/// A value that somebody set, and where.
struct Setting: Hashable, Sendable {
  /// Where it was set.
  enum Source: Hashable, Sendable {
    case option(String)
    case variable(String)
  }

  /// Where it was set.
  let source: Source
  /// The value as it was written.
  let text: String

  /// Where it was set, for people.
  var origin: String {
    switch source {
    case .option(let name): "option \(name)"
    case .variable(let name): "environment variable \(name)"
    }
  }
}

extension CommandEnvironment {
  /// Returns what an option says, else what its variable says.
  func setting(_ value: String?, _ option: String, _ variable: String? = nil) -> Setting? {
    if let value { return Setting(source: .option(option), text: value) }
    guard let variable, let text = self[variable] else { return nil }
    return Setting(source: .variable(variable), text: text)
  }
}

extension Setting {
  /// The value as a duration.
  func duration() throws(UsageError) -> Duration {
    guard let duration = Duration(text: text) else {
      throw unusable(
        "a duration",
        hint: "Write a number with a unit: 500ms, 2s, 5m, 1h or 7d."
      )
    }
    return duration
  }

  /// The value as one of a few words.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    try choice(among: Array(Choice.allCases))
  }

  /// The value as one of some words.
  func choice<Choice: RawRepresentable>(
    among choices: [Choice]
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      let words = choices.map(\.rawValue)
      throw unusable("one of \(words.joined(separator: ", "))", hint: didYouMean(among: words))
    }
    return choice
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

  /// Returns the error of a value that is not what it has to be.
  func unusable(_ expectation: String, hint: String? = nil) -> UsageError {
    UsageError(.unusableValue(self, expectation: expectation, hint: hint))
  }

  func didYouMean(among words: [String]) -> String? {
    suggestion(for: text, among: words).map { "Did you mean \"\($0)\"?" }
  }
}
