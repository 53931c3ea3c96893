package import ObjectModel

/// What the variables of an entity mapping offer besides rows: names, user info and checksums, all of
/// which are known before the migration.
struct MappingConstants {
  let mapping: EntityMapping
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// What a key path means.
  enum Meaning {
    /// A constant.
    case value(Expression.Constant)
    /// The variable has no such key.
    case unrecognized(key: String, known: [String])
    /// It is about a row, or about something else than the mapping.
    case other
  }

  /// Returns the constant that a key path is; nothing if it is about rows.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - property: The property whose value it is part of.
  /// - Returns: What it means.
  func meaning(of path: KeyPathExpression, for property: PropertyMapping?) -> Meaning {
    guard case .variable(let variable) = path.base, path.aggregate == nil else { return .other }
    let names = path.names[...]
    switch variable {
    case "entityMapping": return ofMapping(names)
    case "propertyMapping": return ofProperty(names, property)
    case "entityPolicy":
      return one(names, ["className": mapping.policyClassName ?? "NSEntityMigrationPolicy"])
    case "manager": return ofManager(names)
    case "source": return ofRow(names, entityNamed: mapping.sourceEntityName, in: source)
    case "destination":
      return ofRow(names, entityNamed: mapping.destinationEntityName, in: destination)
    default: return .other  // Other variables are rows.
    }
  }

  // MARK: - The mapping

  private func ofMapping(_ names: ArraySlice<String>) -> Meaning {
    if names.first == "userInfo" { return info(names.dropFirst(), mapping.userInfo) }
    // The numbers of NSEntityMappingType.
    let type =
      switch mapping.type {
      case .custom: "1"
      case .add: "2"
      case .remove: "3"
      case .copy: "4"
      case .transform: "5"
      }
    if names.elementsEqual(["mappingType"]) { return .value(.number(type)) }
    return one(
      names,
      [
        "name": mapping.name,
        "sourceEntityName": mapping.sourceEntityName,
        "destinationEntityName": mapping.destinationEntityName,
        "entityMigrationPolicyClassName": mapping.policyClassName,
      ],
      besides: ["mappingType", "userInfo"]
    )
  }

  private func ofProperty(_ names: ArraySlice<String>, _ property: PropertyMapping?) -> Meaning {
    guard let property else { return .unrecognized(key: names.first ?? "", known: []) }
    if names.first == "userInfo" { return info(names.dropFirst(), property.userInfo) }
    return one(names, ["name": property.name], besides: ["userInfo"])
  }

  private func ofManager(_ names: ArraySlice<String>) -> Meaning {
    switch names.first {
    case "currentEntityMapping": return ofMapping(names.dropFirst())
    case "sourceModel": return ofModel(names.dropFirst(), source)
    case "destinationModel": return ofModel(names.dropFirst(), destination)
    // Values of the user info are constants by now.
    case "userInfo":
      return .unrecognized(key: names.dropFirst().joined(separator: "."), known: [])
    default:
      return .unrecognized(key: names.first ?? "", known: ExpressionParser.managerKeys)
    }
  }

  private func ofModel(_ names: ArraySlice<String>, _ model: ManagedObjectModel) -> Meaning {
    guard names.elementsEqual(["versionChecksum"]) else {
      return .unrecognized(key: names.first ?? "", known: ["versionChecksum"])
    }
    return .value(.string(model.versionHashes().checksum.text))
  }

  // MARK: - Entities

  /// `$source.entity` is the entity of the row, unless that has a property of the name.
  private func ofRow(
    _ names: ArraySlice<String>,
    entityNamed name: String?,
    in model: ManagedObjectModel
  ) -> Meaning {
    guard names.first == "entity", names.count > 1, let name, let entity = model.entity(named: name)
    else { return .other }
    let properties =
      model.effectiveAttributes(of: entity).map(\.name)
      + model.effectiveRelationships(of: entity).map(\.name)
    guard !properties.contains("entity") else { return .other }
    return ofEntity(names.dropFirst(), entity, in: model)
  }

  private func ofEntity(
    _ names: ArraySlice<String>,
    _ entity: EntityDescription,
    in model: ManagedObjectModel
  ) -> Meaning {
    switch names.first {
    case "superentity":
      guard let parent = entity.superentityName.flatMap({ model.entity(named: $0) }) else {
        return .value(.null)
      }
      return ofEntity(names.dropFirst(), parent, in: model)
    case "userInfo": return info(names.dropFirst(), entity.userInfo)
    default:
      return one(
        names,
        [
          "name": entity.name,
          "managedObjectClassName": entity.className,
          "renamingIdentifier": entity.renamingIdentifier ?? entity.name,
          "versionHashModifier": entity.versionHashModifier,
        ],
        besides: ["superentity", "userInfo"]
      )
    }
  }

  // MARK: - Keys

  /// Returns the value of the only key that is left.
  private func one(
    _ names: ArraySlice<String>,
    _ values: [String: String?],
    besides others: [String] = []
  ) -> Meaning {
    guard names.count == 1, let key = names.first, let value = values[key] else {
      let key = names.count > 1 ? names.joined(separator: ".") : names.first ?? ""
      return .unrecognized(key: key, known: (Array(values.keys) + others).sorted())
    }
    return .value(value.map { .string($0) } ?? .null)
  }

  private func info(_ names: ArraySlice<String>, _ values: [String: String]) -> Meaning {
    // A key may have dots in it.
    let key = names.joined(separator: ".")
    guard let value = values[key] else {
      return .unrecognized(key: key, known: values.keys.sorted())
    }
    return .value(.string(value))
  }
}

extension MappingModel {
  /// Returns the mapping model with constants in place of what its variables offer besides rows.
  package func withConstants(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> MappingModel {
    var model = self
    model.entityMappings = entityMappings.map { mapping in
      let constants = MappingConstants(mapping: mapping, source: source, destination: destination)
      return mapping.replacing { part, property in
        guard case .keyPath(let path) = part,
          case .value(let constant) = constants.meaning(of: path, for: property)
        else { return nil }
        return .constant(constant)
      }
    }
    return model
  }

  /// Returns the mapping model with values in place of those of the manager's user info.
  ///
  /// - Parameter userInfo: The values by their keys.
  /// - Returns: The mapping model; keys without a value remain as they are.
  package func givingUserInfo(_ userInfo: [String: String]) -> MappingModel {
    guard !userInfo.isEmpty else { return self }
    var model = self
    model.entityMappings = entityMappings.map { mapping in
      mapping.replacing { part, _ in
        guard case .keyPath(let path) = part, path.base == .variable("manager"),
          path.aggregate == nil, path.names.first == "userInfo"
        else { return nil }
        let key = path.names.dropFirst().joined(separator: ".")
        return userInfo[key].map { .constant(.string($0)) }
      }
    }
    return model
  }
}

extension Expression.Constant {
  /// Creates the constant that gives an attribute a value; `nil` if the value has no such constant.
  init?(of value: AttributeValue?) {
    switch value {
    case nil: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .number(String(number))
    case .decimal(let digits): self = .number(digits)
    case .string(let text): self = .string(text)
    // A date or a number in floating point has no exact text, the others none at all.
    case .double, .date, .uuid, .text: return nil
    }
  }
}
