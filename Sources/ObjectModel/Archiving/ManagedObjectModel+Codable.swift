/// The archived form of a model in the metadata schema: JSON objects that leave out values equal to
/// their defaults, so that archives of older tools stay readable as the model grows.
extension ManagedObjectModel: Codable {
  private enum Key: String, CodingKey {
    case entities, composites, configurations, fetchRequests, versionIdentifier, foreign, layout
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      entities: values.decode([EntityDescription].self, forKey: .entities),
      composites: values.decode(.composites, else: []),
      configurations: values.decode(.configurations, else: []),
      fetchRequests: values.decode(.fetchRequests, else: []),
      versionIdentifier: values.decodeIfPresent(String.self, forKey: .versionIdentifier),
      foreign: values.decode(.foreign, else: ForeignContent()),
      layout: values.decode(.layout, else: LayoutDescription())
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(entities, forKey: .entities)
    try values.encode(composites, .composites, unless: [])
    try values.encode(configurations, .configurations, unless: [])
    try values.encode(fetchRequests, .fetchRequests, unless: [])
    try values.encodeIfPresent(versionIdentifier, forKey: .versionIdentifier)
    try values.encode(foreign, .foreign, unless: ForeignContent())
    try values.encode(layout, .layout, unless: LayoutDescription())
  }
}

extension CompositeDescription: Codable {
  private enum Key: String, CodingKey {
    case name, elements, foreign
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      name: values.decode(String.self, forKey: .name),
      elements: values.decode([AttributeDescription].self, forKey: .elements),
      foreign: values.decode(.foreign, else: ForeignContent())
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(elements, forKey: .elements)
    try values.encode(foreign, .foreign, unless: ForeignContent())
  }
}

extension ForeignContent: Codable {
  private enum Key: String, CodingKey {
    case attributes, elements
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      attributes: values.decode(.attributes, else: [:]),
      elements: values.decode(.elements, else: [])
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(attributes, .attributes, unless: [:])
    try values.encode(elements, .elements, unless: [])
  }
}
