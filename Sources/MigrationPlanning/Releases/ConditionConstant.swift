internal import SQLSyntax

enum ConditionConstant: Hashable {
  /// A number, of few enough digits that each has a number of its own.
  case number(Double)
  /// Any other constant: the text between the quotes, and its type.
  case quoted(String, type: String)

  /// Creates a number; `nil` if it cannot be compared exactly.
  init?(digits: String) {
    let significant = digits.filter(\.isNumber).drop { $0 == "0" }
    guard digits.utf8.count <= 30, significant.count <= 15, digits.utf8.allSatisfy({ $0 < 0x80 }),
      let value = Double(digits), value.isFinite
    else { return nil }
    self = .number(value)
  }

  /// Creates a constant that is written in quotes.
  init(quoted text: String, cast type: String) {
    if Self.keepsNumber(text, type), let number = Self(signed: text) {
      self = number
    } else if type == "timestamp with time zone", let number = Self(instant: text) {
      self = number
    } else {
      self = .quoted(text, type: Self.textTypes.contains(type) ? "" : type)
    }
  }

  private init?(signed text: String) {
    guard text.hasPrefix("-") else {
      self.init(digits: text)
      return
    }
    guard case .number(let value)? = Self(digits: String(text.dropFirst())) else { return nil }
    self = .number(0 - value)
  }

  /// An instant as literals of ours have it, without a part of a second: its digits are in its order.
  private init?(instant text: String) {
    let pattern = "0000-00-00 00:00:00+00"
    guard text.utf8.count == pattern.utf8.count,
      zip(text.dropLast(3), pattern).allSatisfy({ $1 == "0" ? $0.isNumber : $0 == $1 }),
      text.hasSuffix("+00")
    else { return nil }
    self.init(digits: text.dropLast(3).filter(\.isNumber))
  }

  /// Returns whether a type has a number as it is written, without rounding it.
  private static func keepsNumber(_ text: String, _ type: String) -> Bool {
    if numericTypes.contains(type) { return true }
    let modifiers = type.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    guard type.hasPrefix("numeric("), modifiers.count == 2 else { return false }
    return text.drop { $0 != "." }.dropFirst().count <= modifiers[1]
  }

  private static let numericTypes: Set<String> = [
    "smallint", "integer", "bigint", "numeric", "double precision",
  ]
  private static let textTypes: Set<String> = ["text", "character varying"]

  /// The constant in SQL, or as much as distinguishes it.
  var text: String {
    switch self {
    case .number(let value): "\(value)"
    case .quoted(let text, let type): "\(SQLLiteral.text(text))::\(type)"
    }
  }

  /// Returns whether no value of a term is equal to both constants, whatever its type and collation.
  func isSurelyDifferent(from other: Self, as term: String) -> Bool {
    // The names of entities are texts of ours.
    if term == StorageNames.discriminator.quoted { return self != other }
    switch (self, other) {
    case (.number(let value), .number(let another)): return value != another
    case (.quoted(let text, ""), .quoted(let another, "")):
      guard let word = Self.word(text), let other = Self.word(another) else { return false }
      return word != other
    case (.number, .quoted), (.quoted, _): return false
    }
  }

  /// Normalizes a text for types and collations that ignore some differences; `nil` if it may be a
  /// number, a truth value or another value with several spellings.
  private static func word(_ text: String) -> String? {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first),
      text.utf8.allSatisfy({ $0 < 0x80 }),
      text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { return nil }
    let word = text.lowercased().filter { $0 != "_" }
    let isTruth = ["true", "false", "yes", "no", "on", "off"].contains { $0.hasPrefix(word) }
    return isTruth ? nil : word
  }
}
