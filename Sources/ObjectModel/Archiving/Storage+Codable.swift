extension KeyDescription: Codable {
  private enum Key: String, CodingKey {
    case type, columnName, generation
  }

  /// Reads from an archive: the type alone, or an object.
  public init(from decoder: any Decoder) throws {
    if let type = try? decoder.singleValueContainer().decode(KeyType.self) {
      self.init(type)
      return
    }
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      values.decode(.type, else: .bigint),
      columnName: values.decodeIfPresent(String.self, forKey: .columnName),
      generation: values.decodeIfPresent(Generation.self, forKey: .generation)
    )
  }

  /// Encodes the type alone if all other values are defaults.
  public func encode(to encoder: any Encoder) throws {
    guard !isPlain else {
      var container = encoder.singleValueContainer()
      return try container.encode(type)
    }
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(type, .type, unless: .bigint)
    try values.encodeIfPresent(columnName, forKey: .columnName)
    try values.encodeIfPresent(generation, forKey: .generation)
  }
}

extension KeyDescription.KeyType: Codable {
  /// Reads the spelling of a type from an archive.
  public init(from decoder: any Decoder) throws {
    self = try decoder.spelling("key type")
  }

  /// Writes the spelling of the type to an archive.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension KeyDescription.Generation: Codable {
  /// Reads the spelling of a generation from an archive.
  public init(from decoder: any Decoder) throws {
    self = try decoder.spelling("generation of a key")
  }

  /// Writes the spelling of the generation to an archive.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ReferenceDescription: Codable {
  private enum Key: String, CodingKey {
    case onDelete, onUpdate, deferrability, isIndexed
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      onDelete: values.decodeIfPresent(Action.self, forKey: .onDelete),
      onUpdate: values.decodeIfPresent(Action.self, forKey: .onUpdate),
      deferrability: values.decodeIfPresent(Deferrability.self, forKey: .deferrability),
      isIndexed: values.decode(.isIndexed, else: true)
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(onDelete, forKey: .onDelete)
    try values.encodeIfPresent(onUpdate, forKey: .onUpdate)
    try values.encodeIfPresent(deferrability, forKey: .deferrability)
    try values.encode(isIndexed, .isIndexed, unless: true)
  }
}

extension FetchIndexDescription: Codable {
  private enum Key: String, CodingKey {
    case name, elements, partialPredicate, definition, isUnique
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      name: values.decode(String.self, forKey: .name),
      elements: values.decode([Element].self, forKey: .elements),
      partialPredicate: values.decodeIfPresent(String.self, forKey: .partialPredicate),
      definition: values.decodeIfPresent(String.self, forKey: .definition),
      isUnique: values.decode(.isUnique, else: false)
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(elements, forKey: .elements)
    try values.encodeIfPresent(partialPredicate, forKey: .partialPredicate)
    try values.encodeIfPresent(definition, forKey: .definition)
    try values.encode(isUnique, .isUnique, unless: false)
  }
}

extension Decoder {
  /// Decodes a value from its spelling.
  func spelling<Value: LosslessStringConvertible>(_ what: String) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "unrecognized \(what) \"\(text)\""
      )
    }
    return value
  }
}
