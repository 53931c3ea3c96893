extension Predicate: CustomStringConvertible {
  /// The text that reads back as this predicate.
  public var description: String { text(binding: 0) }

  private func text(binding: Int) -> String {
    let own: Int
    let text: String
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return comparison.description
    case .not(let condition):
      own = 3
      text = "NOT \(condition.text(binding: 3))"
    case .and(let first, let second):
      own = 2
      text = "\(first.text(binding: 2)) AND \(second.text(binding: 3))"
    case .or(let first, let second):
      own = 1
      text = "\(first.text(binding: 1)) OR \(second.text(binding: 2))"
    }
    return own < binding ? "(\(text))" : text
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The text that reads back as this comparison.
  public var description: String {
    let start = quantifier.map { "\($0.rawValue) " } ?? ""
    return "\(start)\(left) \(comparator.rawValue)\(options) \(right)"
  }
}

extension Predicate.Options: CustomStringConvertible {
  /// The options as they stand after a comparator; nothing if there are none.
  public var description: String {
    let letters = [
      (ignoresCase, "c"), (ignoresDiacritics, "d"), (isNormalized, "n"), (isLocaleSensitive, "l"),
    ]
    .filter(\.0).map(\.1).joined()
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}
