import ObjectModel

/// Entities and their properties.
extension ThreeWayMerge {
  private static func words(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }
  private static func words(_ partitioning: PartitioningDescription?) -> String {
    guard var partitioning else { return "none" }
    partitioning.attributeName = partitioning.attributeName.map(KeyedModel.name(inReference:))
    return partitioning.description
  }
  private static func words(_ distribution: DistributionDescription?) -> String {
    guard var distribution else { return "none" }
    distribution.propertyName = distribution.propertyName.map(KeyedModel.name(inReference:))
    distribution.colocatedEntityName = distribution.colocatedEntityName.map {
      String($0.dropFirst())
    }
    return distribution.description
  }
  private static func words(_ flag: Bool) -> String { flag ? "true" : "false" }

  /// Returns the name that a part of a version has, for people.
  private func name(ofEntity key: String) -> String { String(key.dropFirst()) }

  mutating func entity(_ key: String, _ three: Three<EntityDescription?>) -> EntityDescription {
    let part = MergedPart.entity(key)
    let name = three.base?.name ?? three.first?.name ?? name(ofEntity: key)
    let whole = "entity \"\(name)\""
    // Both versions have the entity if this is called.
    guard let left = three.first, let right = three.second else {
      return three.first ?? three.second ?? EntityDescription(name: name)
    }
    let before = three.base
    func sides<Value>(_ value: (EntityDescription) -> Value) -> Three<Value?> {
      Three(base: before.map(value), first: value(left), second: value(right))
    }
    func text(_ value: @escaping (EntityDescription) -> String?, _ what: String) -> String? {
      self.value(sides(value), "\(what) of \(whole)", of: part) { Self.words($0 ?? nil) } ?? nil
    }
    var merged = left
    merged.name =
      value(sides(\.name), "the name of \(whole)", of: part) { Self.words($0) } ?? left.name
    merged.superentityName = text(\.superentityName, "the parent")
    merged.renamingIdentifier = text(\.renamingIdentifier, "the renaming identifier")
    merged.versionHashModifier = text(\.versionHashModifier, "the hash modifier")
    merged.tableName = text(\.tableName, "the table")
    merged.className = text(\.className, "the class")
    merged.isAbstract =
      value(sides(\.isAbstract), "abstract of \(whole)", of: part) { Self.words($0 ?? false) }
      ?? left.isAbstract
    merged.key =
      value(sides(\.key), "the key of \(whole)", of: part) { $0?.description ?? "none" }
      ?? left.key
    merged.attributes = properties(
      sides(\.attributes).map { $0 ?? [] },
      ofEntity: key,
      sides(\.name),
      \.name,
      \.inUsualForm,
      { "attribute \"\($0.name)\" of \(whole)" },
      { $0.attribute($1, $2, of: whole) }
    )
    merged.relationships = properties(
      sides(\.relationships).map { $0 ?? [] },
      ofEntity: key,
      sides(\.name),
      \.name,
      \.inUsualForm,
      { "relationship \"\($0.name)\" of \(whole)" },
      { $0.relationship($1, $2, of: whole) }
    )
    merged.uniquenessConstraints = list(sides(\.uniquenessConstraints).map { $0 ?? [] })
    merged.compoundIndexes = list(sides(\.compoundIndexes).map { $0 ?? [] })
    merged.fetchIndexes = named(sides(\.fetchIndexes).map { $0 ?? [] }, part, \.name) {
      "index \"\($0)\" of \(whole)"
    }
    merged.fetchedProperties = named(sides(\.fetchedProperties).map { $0 ?? [] }, part, \.name) {
      "fetched property \"\($0)\" of \(whole)"
    }
    merged.checks = named(sides(\.checks).map { $0 ?? [] }, part, \.name) {
      "check \"\($0)\" of \(whole)"
    }
    merged.objectNames = values(
      sides(\.objectNames).map { $0 ?? [:] },
      { "the name for \"\($0)\" of \(whole)" },
      of: part
    ) { Self.words($0) }
    merged.storage = values(
      sides(\.storage).map { $0 ?? [:] },
      { "storage parameter \"\($0)\" of \(whole)" },
      of: part
    ) { Self.words($0) }
    merged.partitioning =
      value(sides(\.partitioning), "the partitioning of \(whole)", of: part) {
        Self.words($0 ?? nil)
      } ?? nil
    merged.distribution =
      value(sides(\.distribution), "the distribution of \(whole)", of: part) {
        Self.words($0 ?? nil)
      } ?? nil
    merged.userInfo = userInfo(sides(\.userInfo).map { $0 ?? [:] }, part, of: whole)
    merged.foreign = foreign(sides(\.foreign).map { $0 ?? ForeignContent() })
    return merged
  }

  private mutating func userInfo(
    _ three: Three<[String: String]>,
    _ part: MergedPart,
    of whole: String
  ) -> [String: String] {
    values(three, { "user info \"\($0)\" of \(whole)" }, of: part) { Self.words($0) }
  }

  /// Merges parts that have no renaming identifier, each as a whole; those of one name are told
  /// apart by their order.
  private mutating func named<Part: Equatable>(
    _ three: Three<[Part]>,
    _ place: MergedPart,
    _ name: (Part) -> String,
    _ phrase: (String) -> String
  ) -> [Part] {
    func keyed(_ parts: [Part]) -> [(key: String, part: Part)] {
      var counts: [String: Int] = [:]
      return parts.map { part in
        let name = name(part)
        counts[name, default: 0] += 1
        let count = counts[name] ?? 1
        return (count == 1 ? name : "\(name)\u{1}\(count)", part)
      }
    }
    let lists = three.map(keyed)
    let merged = parts(
      lists.map { list in
        Dictionary(list.map { ($0.key, $0.part) }, uniquingKeysWith: { first, _ in first })
      },
      order: lists.map { $0.map(\.key) },
      { _ in place },
      { _, part in phrase(name(part)) },
      { merge, key, three in
        merge.note(phrase(key), place, "changed", "changed")
        // Both versions have the part if this is called.
        return three.first ?? three.second ?? three.base ?? lists.first[0].part
      }
    )
    return merged.map(\.part)
  }

  private mutating func properties<Property: Equatable>(
    _ three: Three<[Property]>,
    ofEntity key: String,
    _ names: Three<String?>,
    _ name: (Property) -> String,
    _ usualForm: (Property) -> Property,
    _ phrase: (Property) -> String,
    _ merge: (inout ThreeWayMerge, Three<Property?>, MergedPart) -> Property
  ) -> [Property] {
    func keyed(
      _ properties: [Property],
      _ side: KeyedModel,
      _ entity: String?
    )
      -> [(key: String, property: Property)]
    {
      properties.map { (side.key(ofProperty: name($0), ofEntity: entity ?? ""), $0) }
    }
    let lists = Three(
      base: keyed(three.base, base, names.base ?? nil),
      first: keyed(three.first, first, names.first ?? nil),
      second: keyed(three.second, second, names.second ?? nil)
    )
    let merged = parts(
      lists.map { list in
        Dictionary(list.map { ($0.key, $0.property) }, uniquingKeysWith: { first, _ in first })
      },
      order: lists.map { $0.map(\.key) },
      in: usualForm,
      { .property(entity: key, $0) },
      { _, property in phrase(property) },
      { merging, propertyKey, three in
        merge(&merging, three, .property(entity: key, propertyKey))
      }
    )
    for (propertyKey, property) in merged {
      propertyNames[key, default: [:]][propertyKey] = name(property)
    }
    return merged.map(\.part)
  }

  mutating func attribute(
    _ three: Three<AttributeDescription?>,
    _ part: MergedPart,
    of owner: String
  ) -> AttributeDescription {
    guard let left = three.first, let right = three.second else {
      return three.first ?? three.second ?? AttributeDescription(name: "", type: .undefined)
    }
    let before = three.base
    let whole = "attribute \"\((before ?? left).name)\" of \(owner)"
    func sides<Value>(_ value: (AttributeDescription) -> Value) -> Three<Value?> {
      Three(base: before.map(value), first: value(left), second: value(right))
    }
    func text(_ value: @escaping (AttributeDescription) -> String?, _ what: String) -> String? {
      self.value(sides(value), "\(what) of \(whole)", of: part) { Self.words($0 ?? nil) } ?? nil
    }
    func flag(_ value: @escaping (AttributeDescription) -> Bool, _ what: String) -> Bool {
      self.value(sides(value), "\(what) of \(whole)", of: part) { Self.words($0 ?? false) }
        ?? value(left)
    }
    var merged = left
    merged.name =
      value(sides(\.name), "the name of \(whole)", of: part) { Self.words($0) } ?? left.name
    merged.type =
      value(sides(\.type), "the type of \(whole)", of: part) { $0?.description ?? "none" }
      ?? left.type
    merged.isOptional = flag(\.isOptional, "optional")
    merged.isTransient = flag(\.isTransient, "transient")
    merged.isIndexed = flag(\.isIndexed, "indexed")
    merged.defaultValue =
      value(sides(\.defaultValue), "the default of \(whole)", of: part) {
        ($0 ?? nil).map { "\($0)" } ?? "none"
      } ?? nil
    merged.defaultExpression = text(\.defaultExpression, "the default")
    merged.generationExpression = text(\.generationExpression, "the generation")
    merged.numbering =
      value(sides(\.numbering), "the numbering of \(whole)", of: part) {
        ($0 ?? nil)?.rawValue ?? "none"
      } ?? nil
    merged.validation =
      value(sides(\.validation), "the validation of \(whole)", of: part) { _ in "changed" }
      ?? left.validation
    merged.derivationExpression = text(\.derivationExpression, "the derivation")
    merged.renamingIdentifier = text(\.renamingIdentifier, "the renaming identifier")
    merged.versionHashModifier = text(\.versionHashModifier, "the hash modifier")
    merged.columnName = text(\.columnName, "the column")
    merged.valueTransformerName = text(\.valueTransformerName, "the transformer")
    merged.userInfo = userInfo(sides(\.userInfo).map { $0 ?? [:] }, part, of: whole)
    merged.foreign = foreign(sides(\.foreign).map { $0 ?? ForeignContent() })
    return merged
  }

  mutating func relationship(
    _ three: Three<RelationshipDescription?>,
    _ part: MergedPart,
    of owner: String
  ) -> RelationshipDescription {
    guard let left = three.first, let right = three.second else {
      return three.first ?? three.second
        ?? RelationshipDescription(name: "", destinationEntityName: "")
    }
    let before = three.base
    let whole = "relationship \"\((before ?? left).name)\" of \(owner)"
    func sides<Value>(_ value: (RelationshipDescription) -> Value) -> Three<Value?> {
      Three(base: before.map(value), first: value(left), second: value(right))
    }
    func text(_ value: @escaping (RelationshipDescription) -> String?, _ what: String) -> String? {
      self.value(sides(value), "\(what) of \(whole)", of: part) { Self.words($0 ?? nil) } ?? nil
    }
    func flag(_ value: @escaping (RelationshipDescription) -> Bool, _ what: String) -> Bool {
      self.value(sides(value), "\(what) of \(whole)", of: part) { Self.words($0 ?? false) }
        ?? value(left)
    }
    var merged = left
    merged.name =
      value(sides(\.name), "the name of \(whole)", of: part) { Self.words($0) } ?? left.name
    merged.destinationEntityName =
      text(\.destinationEntityName, "the destination") ?? left.destinationEntityName
    merged.inverseName = text(\.inverseName, "the inverse")
    merged.isToMany = flag(\.isToMany, "to-many")
    merged.isOrdered = flag(\.isOrdered, "ordered")
    merged.isOptional = flag(\.isOptional, "optional")
    merged.isTransient = flag(\.isTransient, "transient")
    merged.minimumCount =
      value(sides(\.minimumCount), "the minimum of \(whole)", of: part) { "\($0 ?? 0)" }
      ?? left.minimumCount
    merged.maximumCount =
      value(sides(\.maximumCount), "the maximum of \(whole)", of: part) { "\($0 ?? 0)" }
      ?? left.maximumCount
    merged.deleteRule =
      value(sides(\.deleteRule), "the delete rule of \(whole)", of: part) { $0?.rawValue ?? "" }
      ?? left.deleteRule
    merged.renamingIdentifier = text(\.renamingIdentifier, "the renaming identifier")
    merged.versionHashModifier = text(\.versionHashModifier, "the hash modifier")
    merged.columnName = text(\.columnName, "the column")
    merged.joinTableName = text(\.joinTableName, "the join table")
    merged.reference =
      value(sides(\.reference), "the reference of \(whole)", of: part) { _ in "changed" } ?? nil
    merged.userInfo = userInfo(sides(\.userInfo).map { $0 ?? [:] }, part, of: whole)
    merged.foreign = foreign(sides(\.foreign).map { $0 ?? ForeignContent() })
    return merged
  }
}
