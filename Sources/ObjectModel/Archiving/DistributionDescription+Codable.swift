extension DistributionDescription: Codable {
  private enum Key: String, CodingKey {
    case kind, by, colocateWith
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let property = try values.decodeIfPresent(String.self, forKey: .by)
    let entity = try values.decodeIfPresent(String.self, forKey: .colocateWith)
    switch try (values.decode(Kind.self, forKey: .kind), property, entity) {
    case (.rows, _, _): self = .rows(by: property, colocateWith: entity)
    case (.reference, nil, nil): self = .reference
    case (.reference, _, _):
      throw DecodingError.dataCorruptedError(
        forKey: .kind,
        in: values,
        debugDescription: "settings of another kind of distribution"
      )
    }
  }

  /// Encodes the kind and its settings.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(kind, forKey: .kind)
    try values.encodeIfPresent(propertyName, forKey: .by)
    try values.encodeIfPresent(colocatedEntityName, forKey: .colocateWith)
  }
}
