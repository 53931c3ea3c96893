import Diagnostics

/// A reader of files that reports faults and continues, so that one run shows them all.
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
    // Hints take time to compute, and thousands of them help no reader.
    let hint = diagnostics.count < 1000 ? hint() : nil
    let location = source.location(of: offset)
    diagnostics.append(
      Diagnostic(severity, message, detail: detail, hint: hint, location: location)
    )
  }

  /// Returns the value of a word, or reports that it is not one of the allowed words.
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
