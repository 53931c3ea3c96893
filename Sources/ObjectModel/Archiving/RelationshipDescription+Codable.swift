extension RelationshipDescription: Codable {
  private enum Key: String, CodingKey {
    case name, destinationEntityName, inverseName, isToMany, minimumCount, maximumCount, isOrdered
    case isOptional, isTransient, deleteRule, renamingIdentifier, versionHashModifier, columnName
    case joinTableName, reference, userInfo, foreign
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      name: values.decode(String.self, forKey: .name),
      destinationEntityName: values.decode(String.self, forKey: .destinationEntityName),
      inverseName: values.decodeIfPresent(String.self, forKey: .inverseName),
      isToMany: values.decode(.isToMany, else: false),
      minimumCount: values.decode(.minimumCount, else: 0),
      maximumCount: values.decodeIfPresent(Int.self, forKey: .maximumCount),
      isOrdered: values.decode(.isOrdered, else: false),
      isOptional: values.decode(.isOptional, else: true),
      isTransient: values.decode(.isTransient, else: false),
      deleteRule: values.decode(.deleteRule, else: .nullify),
      renamingIdentifier: values.decodeIfPresent(String.self, forKey: .renamingIdentifier),
      versionHashModifier: values.decodeIfPresent(String.self, forKey: .versionHashModifier),
      columnName: values.decodeIfPresent(String.self, forKey: .columnName),
      joinTableName: values.decodeIfPresent(String.self, forKey: .joinTableName),
      reference: values.decodeIfPresent(ReferenceDescription.self, forKey: .reference),
      userInfo: values.decode(.userInfo, else: [:]),
      foreign: values.decode(.foreign, else: ForeignContent())
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(destinationEntityName, forKey: .destinationEntityName)
    try values.encodeIfPresent(inverseName, forKey: .inverseName)
    try values.encode(isToMany, .isToMany, unless: false)
    try values.encode(minimumCount, .minimumCount, unless: 0)
    try values.encode(maximumCount, .maximumCount, unless: isToMany ? 0 : 1)
    try values.encode(isOrdered, .isOrdered, unless: false)
    try values.encode(isOptional, .isOptional, unless: true)
    try values.encode(isTransient, .isTransient, unless: false)
    try values.encode(deleteRule, .deleteRule, unless: .nullify)
    try values.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
    try values.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
    try values.encodeIfPresent(columnName, forKey: .columnName)
    try values.encodeIfPresent(joinTableName, forKey: .joinTableName)
    try values.encodeIfPresent(reference, forKey: .reference)
    try values.encode(userInfo, .userInfo, unless: [:])
    try values.encode(foreign, .foreign, unless: ForeignContent())
  }
}
