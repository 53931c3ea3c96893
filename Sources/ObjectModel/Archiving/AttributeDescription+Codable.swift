extension AttributeDescription: Codable {
  private enum Key: String, CodingKey {
    case name, type, isOptional, isTransient, defaultValue, validation, derivationExpression
    case renamingIdentifier, versionHashModifier, columnName, isIndexed, valueTransformerName
    case defaultExpression, generationExpression, numbering, userInfo, foreign
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      name: values.decode(String.self, forKey: .name),
      type: values.decode(AttributeType.self, forKey: .type),
      isOptional: values.decode(.isOptional, else: true),
      isTransient: values.decode(.isTransient, else: false),
      defaultValue: values.decodeIfPresent(AttributeValue.self, forKey: .defaultValue),
      defaultExpression: values.decodeIfPresent(String.self, forKey: .defaultExpression),
      generationExpression: values.decodeIfPresent(String.self, forKey: .generationExpression),
      numbering: values.decodeIfPresent(Numbering.self, forKey: .numbering),
      validation: values.decode(.validation, else: AttributeValidation()),
      derivationExpression: values.decodeIfPresent(String.self, forKey: .derivationExpression),
      renamingIdentifier: values.decodeIfPresent(String.self, forKey: .renamingIdentifier),
      versionHashModifier: values.decodeIfPresent(String.self, forKey: .versionHashModifier),
      columnName: values.decodeIfPresent(String.self, forKey: .columnName),
      isIndexed: values.decode(.isIndexed, else: false),
      valueTransformerName: values.decodeIfPresent(String.self, forKey: .valueTransformerName),
      userInfo: values.decode(.userInfo, else: [:]),
      foreign: values.decode(.foreign, else: ForeignContent())
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(type, forKey: .type)
    try values.encode(isOptional, .isOptional, unless: true)
    try values.encode(isTransient, .isTransient, unless: false)
    try values.encodeIfPresent(defaultValue, forKey: .defaultValue)
    try values.encodeIfPresent(defaultExpression, forKey: .defaultExpression)
    try values.encodeIfPresent(generationExpression, forKey: .generationExpression)
    try values.encodeIfPresent(numbering, forKey: .numbering)
    try values.encode(validation, .validation, unless: AttributeValidation())
    try values.encodeIfPresent(derivationExpression, forKey: .derivationExpression)
    try values.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
    try values.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
    try values.encodeIfPresent(columnName, forKey: .columnName)
    try values.encode(isIndexed, .isIndexed, unless: false)
    try values.encodeIfPresent(valueTransformerName, forKey: .valueTransformerName)
    try values.encode(userInfo, .userInfo, unless: [:])
    try values.encode(foreign, .foreign, unless: ForeignContent())
  }
}

extension AttributeType: Codable {
  /// Reads the spelling of a type from an archive.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let type = AttributeType(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "unrecognized attribute type \"\(text)\""
      )
    }
    self = type
  }

  /// Writes the spelling of the type to an archive.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension AttributeValue: Codable {
  private enum Key: String, CodingKey {
    case boolean, integer, decimal, double, string, date, uuid, text
  }

  /// Reads a value and its kind from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    switch values.allKeys.first {
    case .boolean: self = try .boolean(values.decode(Bool.self, forKey: .boolean))
    case .integer: self = try .integer(values.decode(Int64.self, forKey: .integer))
    case .decimal: self = try .decimal(values.decode(String.self, forKey: .decimal))
    case .double: self = try .double(values.decode(Double.self, forKey: .double))
    case .string: self = try .string(values.decode(String.self, forKey: .string))
    case .date: self = try .date(values.decode(Double.self, forKey: .date))
    case .uuid: self = try .uuid(values.decode(String.self, forKey: .uuid))
    case .text: self = try .text(values.decode(String.self, forKey: .text))
    case nil:
      let context = DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "unrecognized kind of value"
      )
      throw DecodingError.dataCorrupted(context)
    }
  }

  /// Writes the value under the name of its kind to an archive.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .boolean(let value): try values.encode(value, forKey: .boolean)
    case .integer(let value): try values.encode(value, forKey: .integer)
    case .decimal(let value): try values.encode(value, forKey: .decimal)
    case .double(let value): try values.encode(value, forKey: .double)
    case .string(let value): try values.encode(value, forKey: .string)
    case .date(let value): try values.encode(value, forKey: .date)
    case .uuid(let value): try values.encode(value, forKey: .uuid)
    case .text(let value): try values.encode(value, forKey: .text)
    }
  }
}
