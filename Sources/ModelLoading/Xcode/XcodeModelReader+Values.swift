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
    note(.error, message, detail: detail, hint: hint(), at: offset(of: attribute, in: element))
  }

  mutating func warning(
    _ message: String,
    detail: String? = nil,
    hint: @autoclosure () -> String? = nil,
    at element: XMLElement,
    attribute: String? = nil
  ) {
    note(.warning, message, detail: detail, hint: hint(), at: offset(of: attribute, in: element))
  }

  private mutating func offset(of attribute: String?, in element: XMLElement) -> Int {
    guard let attribute else { return element.offset }
    // Many complaints may be about one element, so its start tag is read once.
    if attributeOffsets?.element != element.offset {
      attributeOffsets = AttributeOffsets(of: element.offset, in: source.bytes)
    }
    return attributeOffsets?.offset(of: attribute) ?? element.offset
  }

  /// Warns of a value that an attribute cannot have.
  private mutating func doubt(
    _ text: String,
    _ expected: String,
    _ name: String,
    of element: XcodeElement,
    reading: String
  ) {
    warning(
      "attribute \"\(name)\" is \"\(text)\", not \(expected)",
      detail: reading,
      at: element.element,
      attribute: name
    )
  }

  /// Takes an attribute that has to be there.
  mutating func required(_ name: String, of element: inout XcodeElement) -> String? {
    if let value = element.take(name) { return value }
    error("element \"\(element.element.name)\" has no attribute \"\(name)\"", at: element.element)
    return nil
  }

  /// Takes a Boolean value; absence means no.
  ///
  /// Other words are read as Cocoa reads a string's Boolean value: by the first character.
  mutating func boolean(_ name: String, of element: inout XcodeElement) -> Bool {
    switch element.take(name) {
    case "YES": return true
    case "NO", nil: return false
    case let value?:
      let isTrue = value.first.map { "YyTt123456789".contains($0) } ?? false
      doubt(
        value,
        "\"YES\" or \"NO\"",
        name,
        of: element,
        reading: "It is read as \"\(isTrue ? "YES" : "NO")\"."
      )
      return isTrue
    }
  }

  /// Takes a count, which cannot be negative.
  mutating func count(_ name: String, of element: inout XcodeElement) -> Int? {
    guard let text = element.takeText(name) else { return nil }
    if let value = Int(text), (0...Int(Int32.max)).contains(value) { return value }
    doubt(text, "a count", name, of: element, reading: "It is left out.")
    return nil
  }

  /// Takes one of several words; absence means the first.
  mutating func choice<Value>(
    _ name: String,
    of element: inout XcodeElement,
    among choices: [(word: String, value: Value)]
  ) -> Value? {
    guard let word = element.takeText(name), let first = choices.first else {
      return choices.first?.value
    }
    if let choice = choices.first(where: { $0.word == word }) { return choice.value }
    let words = choices.map { "\"\($0.word)\"" }.joined(separator: ", ")
    warning(
      "unrecognized value \"\(word)\" of attribute \"\(name)\"",
      detail: "The values are \(words). It is read as \"\(first.word)\".",
      at: element.element,
      attribute: name
    )
    return first.value
  }

  /// Takes a number in decimal digits.
  mutating func number(_ name: String, of element: inout XcodeElement) -> String? {
    guard let text = element.takeText(name) else { return nil }
    if let digits = canonicalDecimal(text) { return digits }
    doubt(text, "a number", name, of: element, reading: "It is left out.")
    return nil
  }

  /// Takes the renaming identifier, which has two spellings.
  mutating func renamingIdentifier(of element: inout XcodeElement) -> String? {
    let current = element.takeText("elementID")
    let ancient = element.takeText("renamingIdentifier")
    return current ?? ancient
  }
}
