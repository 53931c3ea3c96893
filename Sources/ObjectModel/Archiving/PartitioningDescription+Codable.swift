extension PartitioningDescription: Codable {
  private enum Key: String, CodingKey {
    case ahead, keep
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      Method(from: decoder),
      ahead: values.decodeIfPresent(Int.self, forKey: .ahead),
      retention: values.decodeIfPresent(Interval.self, forKey: .keep)
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    try method.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(ahead, .ahead, unless: Self.usualAhead)
    try values.encodeIfPresent(retention, forKey: .keep)
  }
}

extension PartitioningDescription.Method: Codable {
  private enum Key: String, CodingKey {
    case by, every, values
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let method = try Self(
      values.decode(PartitionKey.self, forKey: .by),
      every: values.decodeIfPresent(PartitioningDescription.Interval.self, forKey: .every),
      values: values.decodeIfPresent([String].self, forKey: .values)
    )
    guard let method else {
      throw DecodingError.dataCorruptedError(
        forKey: .by,
        in: values,
        debugDescription: "settings of another method of partitioning"
      )
    }
    self = method
  }

  /// Encodes the method and its settings.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(key, forKey: .by)
    try values.encodeIfPresent(every, forKey: .every)
    try values.encodeIfPresent(self.values, forKey: .values)
  }
}

extension PartitionKey: Codable {
  /// Reads the spelling of a method from an archive.
  package init(from decoder: any Decoder) throws {
    self = try decoder.spelling("method of partitioning")
  }

  /// Writes the spelling of the method to an archive.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension PartitioningDescription.Interval: Codable {
  /// Reads the spelling of an interval from an archive.
  public init(from decoder: any Decoder) throws {
    self = try decoder.spelling("interval")
  }

  /// Writes the spelling of the interval to an archive.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
