import Diagnostics
import ObjectModel

/// Values of attributes, and complaints about them.
extension XcodeModelReader {
  mutating func error(
    _ message: String,
    detail: String? = nil,
    hint: @autoclosure () -> String? = nil,
    at element: XMLElement,
    attribute: String? = nil
  ) {
    let location = location(of: attribute, in: element)
    // Looking for what was meant takes time, and nobody reads a thousand hints.
    let hint = diagnostics.count < 1000 ? hint() : nil
    diagnostics.append(Diagnostic(message, detail: detail, hint: hint, location: location))
  }

  mutating func warning(
    _ message: String,
    detail: String? = nil,
    at element: XMLElement,
    attribute: String? = nil
  ) {
    let location = location(of: attribute, in: element)
    diagnostics.append(Diagnostic(.warning, message, detail: detail, location: location))
  }

  private mutating func location(of attribute: String?, in element: XMLElement) -> SourceLocation {
    guard let attribute else { return source.location(of: element.offset) }
    // Many complaints may be about one element, so its start tag is read once.
    let offsets: AttributeOffsets
    if let attributeOffsets, attributeOffsets.element == element.offset {
      offsets = attributeOffsets
    } else {
      offsets = AttributeOffsets(of: element.offset, in: source.bytes)
      attributeOffsets = offsets
    }
    return source.location(of: offsets.offset(of: attribute))
  }

  /// Takes an attribute that has to be there.
  mutating func required(_ name: String, of element: inout XcodeElement) -> String? {
    if let value = element.take(name) { return value }
    error("element \"\(element.element.name)\" has no attribute \"\(name)\"", at: element.element)
    return nil
  }

  /// Takes a Boolean value; absence means no.
  mutating func boolean(_ name: String, of element: inout XcodeElement) -> Bool {
    switch element.take(name) {
    case "YES": return true
    case "NO", nil: return false
    case let value?:
      error(
        "attribute \"\(name)\" is \"\(value)\", not \"YES\" or \"NO\"",
        at: element.element,
        attribute: name
      )
      return false
    }
  }

  /// Takes a count, which cannot be negative.
  mutating func count(_ name: String, of element: inout XcodeElement) -> Int? {
    guard let text = element.takeText(name) else { return nil }
    if let value = Int(text), (0...Int(Int32.max)).contains(value) { return value }
    error("attribute \"\(name)\" is \"\(text)\", not a count", at: element.element, attribute: name)
    return nil
  }

  /// Takes one of several words; absence means the first.
  mutating func choice<Value>(
    _ name: String,
    of element: inout XcodeElement,
    among choices: [(word: String, value: Value)]
  ) -> Value? {
    guard let word = element.takeText(name) else { return choices.first?.value }
    if let choice = choices.first(where: { $0.word == word }) { return choice.value }
    let words = choices.map(\.word)
    error(
      "unrecognized value \"\(word)\" of attribute \"\(name)\"",
      detail: "The values are \(words.map { "\"\($0)\"" }.joined(separator: ", ")).",
      hint: suggestion(for: word, among: words).map { "Did you mean \"\($0)\"?" },
      at: element.element,
      attribute: name
    )
    return nil
  }

  /// Takes the renaming identifier, which has two spellings.
  mutating func renamingIdentifier(of element: inout XcodeElement) -> String? {
    let current = element.takeText("elementID")
    let ancient = element.takeText("renamingIdentifier")
    return current ?? ancient
  }
}
