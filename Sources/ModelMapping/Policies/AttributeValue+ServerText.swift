internal import ObjectModel

extension AttributeValue {
  /// Creates a value from the text that the server prints for one of a type; none for types whose
  /// values are bytes, and for what only the server knows.
  init?(serverText text: String, of type: AttributeType) {
    switch type {
    case .boolean:
      guard ["t", "f"].contains(text) else { return nil }
      self = .boolean(text == "t")
    case .integer16, .integer32, .integer64:
      guard let value = Int64(text) else { return nil }
      self = .integer(value)
    case .objectID: self = Int64(text).map { .integer($0) } ?? .text(text)
    case .decimal, .numeric: self = .decimal(text)
    case .double, .float:
      guard let value = Double(text) else { return nil }
      self = .double(value)
    case .date:
      guard let seconds = Self.seconds(serverText: text) else { return nil }
      self = .date(seconds)
    case .string, .uri, .varchar, .enumeration: self = .string(text)
    case .uuid: self = .uuid(text)
    case .json, .calendarDate, .time, .interval, .inet, .array, .sql: self = .text(text)
    case .undefined, .binary, .transformable, .composite: return nil
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

  /// Returns whether the server reads the value as one of a type, as far as its kind tells.
  func canBeServerText(of type: AttributeType) -> Bool {
    switch type {
    // The server alone knows what these read.
    case .sql, .array, .json, .calendarDate, .time, .interval, .inet: true
    case .numeric, .decimal:
      switch self {
      case .decimal, .integer, .double: true
      case .boolean, .string, .date, .uuid, .text: false
      }
    case .double, .float:
      switch self {
      case .double, .integer, .decimal: true
      case .boolean, .string, .date, .uuid, .text: false
      }
    case .date: if case .date = self { true } else { false }
    case .boolean, .integer16, .integer32, .integer64, .string, .uri, .uuid, .varchar, .enumeration:
      isConstant(of: type)
    case .undefined, .binary, .transformable, .objectID, .composite: false
    }
  }
}
