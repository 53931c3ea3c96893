internal import ObjectModel

extension AttributeValue {
  /// Creates a value from the server's text; `nil` for types of bytes, and for those that only the
  /// server can read.
  init?(serverText text: String, of type: AttributeType) {
    switch type.kind {
    case .boolean:
      guard ["t", "f"].contains(text) else { return nil }
      self = .boolean(text == "t")
    case .integer:
      guard let value = Int64(text) else { return nil }
      self = .integer(value)
    case .objectID: self = Int64(text).map { .integer($0) } ?? .text(text)
    case .decimal: self = .decimal(text)
    case .floating:
      guard let value = Double(text) else { return nil }
      self = .double(value)
    case .instant:
      guard let seconds = Self.seconds(serverText: text) else { return nil }
      self = .date(seconds)
    case .text: self = .string(text)
    case .uuid: self = .uuid(text)
    case .constant, .array: self = .text(text)
    case .bytes, .none: return nil
    }
  }

  private static func seconds(serverText text: String) -> Double? {
    switch text {
    case "infinity": .infinity
    case "-infinity": -.infinity
    default: secondsSince2001(text).flatMap(Double.init)  // All others are instants.
    }
  }

  /// The value as the server reads it.
  var serverText: String {
    switch self {
    case .boolean(let value): value ? "t" : "f"
    case .integer(let value): String(value)
    case .double(let value): String(value)
    case .date(let seconds): Self.timestamp(secondsSince2001: seconds)
    case .decimal(let text), .string(let text), .uuid(let text), .text(let text): text
    }
  }

  /// Returns whether the server can read the value as a type, as far as its kind decides this.
  func canBeServerText(of type: AttributeType) -> Bool {
    switch type.kind {
    // Only the server can read these.
    case .constant, .array: true
    case .decimal, .floating:
      switch self {
      case .decimal, .integer, .double: true
      case .boolean, .string, .date, .uuid, .text: false
      }
    case .instant: if case .date = self { true } else { false }
    case .boolean, .integer, .text, .uuid: isConstant(of: type)
    case .bytes, .objectID, .none: false
    }
  }
}
