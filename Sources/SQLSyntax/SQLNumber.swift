/// A number in the digits that the server's scanner reads as one, with a sign before them: `-1.5`, `1e300`.
///
/// The server takes the type of such a constant from its form: `integer` or `bigint` without a point and an
/// exponent, as long as it fits, otherwise `numeric`.
public struct SQLNumber: Hashable, Sendable {
  /// The number as SQL text.
  public let text: String

  /// Creates a number from text, or returns `nil` if the text is anything else, or a negative zero: of this
  /// only a constant in quotes keeps the sign.
  ///
  /// - Parameter text: An optional minus, digits, an optional point with more digits, an optional exponent.
  public init?(_ text: String) {
    var rest = Substring(text).utf8
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard Self.takeDigits(&rest) else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard Self.takeDigits(&rest) else { return nil }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard Self.takeDigits(&rest) else { return nil }
    }
    guard rest.isEmpty else { return nil }
    self.text = text
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let isZero = !digits.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    if isNegative, isZero { return nil }
  }

  private static func takeDigits(_ rest: inout Substring.UTF8View) -> Bool {
    let count = rest.count
    rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return rest.count < count
  }

  /// A Boolean value that indicates whether there is a minus before the digits.
  var isNegative: Bool { text.utf8.first == UInt8(ascii: "-") }

  /// The number where it may be part of any expression.
  var enclosed: String { isNegative ? "(\(text))" : text }

  /// Returns the constant of a type that the number is; `nil` where only quotes give the same one.
  func constant(of type: SQLTypeName) -> String? {
    switch type.family {
    // As another number, it would be rounded, and not refused.
    case .integer: Int64(text) == nil ? nil : "\(enclosed)::\(type.text)"
    case .numeric:
      type.text == "numeric" && Int64(text) == nil ? enclosed : "\(enclosed)::\(type.text)"
    case .floating: "\(enclosed)::\(type.text)"
    case .boolean, .text, .bytea, .date, .time, .timestamp, .interval, .uuid, .network, .json,
      .range, .textSearch, .array, .other:
      nil
    }
  }
}
