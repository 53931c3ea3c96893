import Diagnostics
import ObjectModel

/// Words about types that are not spelled as ours.
enum TypeSpelling {
  static func message(about text: String) -> String {
    "unrecognized attribute type \"\(text)\""
  }

  /// Returns what to write in place of a type.
  ///
  /// - Parameters:
  ///   - text: The type as it was written, without the question mark of an optional value.
  ///   - isOptional: Whether there was one.
  ///   - takesFields: Whether a type can be replaced by several keys of the attribute.
  /// - Returns: The hint.
  static func hint(for text: String, isOptional: Bool = false, takesFields: Bool = true) -> String {
    let word = ForeignType.Word(text, isOptional: isOptional)
    if let form = forms[word.name], !word.isArray, isOfForm(word.name) || word.isOutOfRange {
      return "Write it as \(form)."
    }
    let type = xcodeType(text) ?? ForeignType.type(word)
    if let advice = type?.spelling(word, takesFields: takesFields) { return "Write \(advice)." }
    if ForeignType.references.contains(word.name) {
      return "A reference to another entity is a relationship: under \"relationships\", write "
        + "customer: { to: Customer }."
    }
    if let advice = similar(to: word) {
      return "Did you mean \(ForeignType.own(advice).spelling(word, takesFields: false) ?? "")?"
    }
    for form in AttributeType.spellings where text.hasPrefix(form.prefix { $0 != "(" } + "(") {
      return "Write it as \(form)."
    }
    return "The types are \(AttributeType.spellings.joined(separator: ", "))."
  }

  /// The forms that take something in parentheses, by their names.
  private static let forms = Dictionary(
    uniqueKeysWithValues: AttributeType.spellings.filter { $0.hasSuffix(")") }
      .map { (String($0.prefix { $0 != "(" }), $0) }
  )

  /// Returns whether a name means nothing without what is in its parentheses.
  private static func isOfForm(_ name: String) -> Bool { !["numeric", "varchar"].contains(name) }

  /// Returns the type that Xcode shows under a name, letter case aside.
  private static func xcodeType(_ text: String) -> ForeignType? {
    let word = text.lowercased()
    return AttributeType.xcodeTypes.first { $0.word.lowercased() == word }
      .map { .own($0.value) }
  }

  /// Returns the type whose name is nearly that of a word.
  private static func similar(to word: ForeignType.Word) -> AttributeType? {
    let plain = AttributeType.spellings.filter { AttributeType($0) != nil }
    if word.arguments.isEmpty {
      return suggestion(for: word.name, among: plain).flatMap { AttributeType($0) }
    }
    return suggestion(for: word.name, among: ["numeric", "varchar", "composite", "enum", "sql"])
      .flatMap { AttributeType("\($0)(\(word.arguments.joined(separator: ", ")))") }
  }
}
