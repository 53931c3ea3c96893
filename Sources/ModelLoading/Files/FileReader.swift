import Diagnostics

/// What makes something of a file: it notes a fault and goes on, so that one run shows them all.
protocol FileReader {
  var source: SourceText { get }
  var diagnostics: [Diagnostic] { get set }
}

extension FileReader {
  mutating func note(
    _ severity: Diagnostic.Severity,
    _ message: String,
    detail: String? = nil,
    hint: @autoclosure () -> String? = nil,
    at offset: Int
  ) {
    // Looking for what was meant takes time, and nobody reads a thousand hints.
    let hint = diagnostics.count < 1000 ? hint() : nil
    let location = source.location(of: offset)
    diagnostics.append(
      Diagnostic(severity, message, detail: detail, hint: hint, location: location)
    )
  }

  /// Returns what a word stands for, or complains that it is none of those for something.
  mutating func choice<Value>(
    _ word: String,
    of what: String,
    among choices: [(word: String, value: Value)],
    at offset: Int
  ) -> Value? {
    if let choice = choices.first(where: { $0.word == word }) { return choice.value }
    let words = choices.map(\.word)
    note(
      .error,
      "unrecognized value \"\(word)\" of \(what)",
      detail: "The values are \(words.map { "\"\($0)\"" }.joined(separator: ", ")).",
      hint: suggestion(for: word, among: words).map { "Did you mean \"\($0)\"?" },
      at: offset
    )
    return nil
  }
}
