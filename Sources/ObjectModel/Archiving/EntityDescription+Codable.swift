extension EntityDescription: Codable {
  private enum Key: String, CodingKey {
    case name, superentityName, isAbstract, renamingIdentifier, versionHashModifier, attributes
    case relationships, fetchedProperties, uniquenessConstraints, fetchIndexes, compoundIndexes
    case tableName, key, checks, objectNames, storage, partitioning, distribution, className
    case userInfo, foreign
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      name: values.decode(String.self, forKey: .name),
      superentityName: values.decodeIfPresent(String.self, forKey: .superentityName),
      isAbstract: values.decode(.isAbstract, else: false),
      renamingIdentifier: values.decodeIfPresent(String.self, forKey: .renamingIdentifier),
      versionHashModifier: values.decodeIfPresent(String.self, forKey: .versionHashModifier),
      attributes: values.decode(.attributes, else: []),
      relationships: values.decode(.relationships, else: []),
      fetchedProperties: values.decode(.fetchedProperties, else: []),
      uniquenessConstraints: values.decode(.uniquenessConstraints, else: []),
      fetchIndexes: values.decode(.fetchIndexes, else: []),
      compoundIndexes: values.decode(.compoundIndexes, else: []),
      tableName: values.decodeIfPresent(String.self, forKey: .tableName),
      key: values.decode(.key, else: .bigint),
      checks: values.decode(.checks, else: []),
      objectNames: values.decode(.objectNames, else: [:]),
      storage: values.decode(.storage, else: [:]),
      partitioning: values.decodeIfPresent(PartitioningDescription.self, forKey: .partitioning),
      distribution: values.decodeIfPresent(DistributionDescription.self, forKey: .distribution),
      className: values.decodeIfPresent(String.self, forKey: .className),
      userInfo: values.decode(.userInfo, else: [:]),
      foreign: values.decode(.foreign, else: ForeignContent())
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(superentityName, forKey: .superentityName)
    try values.encode(isAbstract, .isAbstract, unless: false)
    try values.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
    try values.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
    try values.encode(attributes, .attributes, unless: [])
    try values.encode(relationships, .relationships, unless: [])
    try values.encode(fetchedProperties, .fetchedProperties, unless: [])
    try values.encode(uniquenessConstraints, .uniquenessConstraints, unless: [])
    try values.encode(fetchIndexes, .fetchIndexes, unless: [])
    try values.encode(compoundIndexes, .compoundIndexes, unless: [])
    try values.encodeIfPresent(tableName, forKey: .tableName)
    try values.encode(key, .key, unless: .bigint)
    try values.encode(checks, .checks, unless: [])
    try values.encode(objectNames, .objectNames, unless: [:])
    try values.encode(storage, .storage, unless: [:])
    try values.encodeIfPresent(partitioning, forKey: .partitioning)
    try values.encodeIfPresent(distribution, forKey: .distribution)
    try values.encodeIfPresent(className, forKey: .className)
    try values.encode(userInfo, .userInfo, unless: [:])
    try values.encode(foreign, .foreign, unless: ForeignContent())
  }
}
