/// The key that identifies the rows of a hierarchy: one column.
public struct KeyDescription: Hashable, Sendable {
  /// The type of its values.
  public var type: KeyType
  /// The column, where it is not to be called `_id`.
  public var columnName: String?
  /// The source of the values, if it is not the default of the type.
  public var generation: Generation?

  /// The type of a key.
  public enum KeyType: Hashable, Sendable {
    case bigint
    case uuid
    /// Any other; ``init(_:)`` knows the two above.
    case other(AttributeType)

    /// Creates the type of keys that have the values of an attribute's type.
    package init(_ type: AttributeType) {
      let canonical = type.canonical
      self = canonical == .integer64 ? .bigint : canonical == .uuid ? .uuid : .other(type)
    }
  }

  /// The source of the values of keys.
  public enum Generation: Hashable, Sendable {
    /// A sequence that belongs to the column; a value that is given wins.
    case identity
    /// A sequence that belongs to the column; no value can be given.
    case identityAlways
    /// A sequence that the column's default asks.
    case serial
    /// A default, in the server's words.
    case sql(String)
    /// Whoever inserts the row gives it.
    case application
  }

  /// Creates a key.
  public init(_ type: KeyType, columnName: String? = nil, generation: Generation? = nil) {
    if case .other(let attributeType) = type {
      self.type = KeyType(attributeType)
    } else {
      self.type = type
    }
    self.columnName = columnName
    self.generation = generation
  }

  /// The ordinary key: numbers that the database gives.
  public static let bigint = KeyDescription(.bigint)
  /// A key of UUIDs that the database gives.
  public static let uuid = KeyDescription(.uuid)
}

extension KeyDescription {
  /// The attribute type with the same values.
  package var attributeType: AttributeType { type.attributeType }

  /// The source of the values, explicit or the default of the type.
  package var effectiveGeneration: Generation {
    if let generation { return generation }
    if attributeType.isInteger { return .identity }
    return attributeType == .uuid ? .sql("gen_random_uuid()") : .application
  }

  /// The kind of sequence that generates the values, if one does.
  package var numbering: AttributeDescription.Numbering? {
    switch effectiveGeneration {
    case .identity: .identity
    case .identityAlways: .identityAlways
    case .serial: .serial
    case .sql, .application: nil
    }
  }

  /// A Boolean value that indicates whether only the type is set.
  package var isPlain: Bool { columnName == nil && generation == nil }
}

extension KeyDescription: CustomStringConvertible {
  /// The key on one line, for people.
  public var description: String {
    type.description + (columnName.map { ", column \"\($0)\"" } ?? "")
      + (generation.map { ", generated: \($0)" } ?? "")
  }
}

extension KeyDescription.KeyType: LosslessStringConvertible {
  /// The type as files spell it.
  public var description: String {
    switch self {
    case .bigint: "bigint"
    case .uuid: "uuid"
    case .other(let type): type.description
    }
  }

  /// Creates a type from its spelling, or returns `nil` if there is no such type.
  public init?(_ text: String) {
    if text == "bigint" {
      self = .bigint
    } else if let type = AttributeType(text) {
      self.init(type)
    } else {
      return nil
    }
  }

  /// The attribute type with the same values.
  package var attributeType: AttributeType {
    switch self {
    case .bigint: .integer64
    case .uuid: .uuid
    case .other(let type): type.canonical
    }
  }
}

extension KeyDescription.Generation: LosslessStringConvertible {
  /// The words for the kinds of generation.
  package static let words: [(word: String, value: KeyDescription.Generation)] = [
    ("identity", .identity), ("identityAlways", .identityAlways), ("serial", .serial),
    ("none", .application),
  ]

  /// The generation as files spell it.
  public var description: String {
    switch self {
    case .identity: "identity"
    case .identityAlways: "identityAlways"
    case .serial: "serial"
    case .application: "none"
    case .sql(let expression): AttributeType.sql(expression).description
    }
  }

  /// Creates a generation from its spelling, or returns `nil` if there is none.
  public init?(_ text: String) {
    if let found = Self.words.first(where: { $0.word == text }) {
      self = found.value
    } else if case .sql(let expression) = AttributeType(text) {
      self = .sql(expression)
    } else {
      return nil
    }
  }
}
