import ObjectModel

/// Writes a model as YAML; the reader's counterpart.
///
/// It keeps the order of the model and leaves out values equal to their defaults.
struct YAMLModelWriter {
  /// Returns the file of a model.
  static func text(of model: ManagedObjectModel, madeFrom bases: [VersionBase] = []) -> String {
    let writer = YAMLModelWriter()
    return YAMLWriter.text(of: .section(writer.model(model, bases)))
  }

  /// Returns the lines of a file that say what the version was made from.
  static func text(of bases: [VersionBase]) -> String {
    var fields = YAMLFields()
    YAMLModelWriter().add(bases, to: &fields)
    return fields.entries.isEmpty ? "" : YAMLWriter.text(of: .section(fields.entries))
  }

  private func model(_ model: ManagedObjectModel, _ bases: [VersionBase]) -> [YAMLField] {
    var fields = YAMLFields()
    fields.add("remodel", constant: YAMLModelReader.formatVersion)
    fields.add("identifier", model.versionIdentifier)
    add(bases, to: &fields)
    fields.add("layout", layout(model.layout))
    let entities = model.entities.map { YAMLField($0.name, entity($0)) }
    // There has to be a key even if there are no entities.
    fields.add("entities", entities.isEmpty ? .constant("{}") : .section(entities))
    fields.add(
      "composites",
      .section(
        model.composites.map { composite in
          YAMLField(
            composite.name,
            .section(composite.elements.map { YAMLField($0.name, attribute($0)) })
          )
        }
      )
    )
    fields.add(
      "configurations",
      .section(model.configurations.map { YAMLField($0.name, .texts($0.entityNames)) })
    )
    fields.add(
      "fetchRequests",
      .section(model.fetchRequests.map { YAMLField($0.name, fetchRequest($0)) })
    )
    add(model.foreign, to: &fields)
    fields.add(
      "xcodeComposites",
      .section(
        model.composites.filter { !$0.foreign.isEmpty }
          .map { composite in
            var fields = YAMLFields()
            add(composite.foreign, to: &fields)
            return YAMLField(composite.name, .fields(fields.entries))
          }
      )
    )
    return fields.entries
  }

  private func add(_ bases: [VersionBase], to fields: inout YAMLFields) {
    fields.add("base", hashes(bases.map(\.checksum)))
    let layouts = bases.compactMap(\.layoutDigest)
    if layouts.count == bases.count { fields.add("baseLayout", hashes(layouts)) }
  }

  /// Returns one hash by itself, and several as a list.
  private func hashes(_ hashes: [VersionHash]) -> YAMLValue {
    let texts = hashes.map { YAMLValue.constant($0.text) }
    return texts.count == 1 ? texts[0] : .list(texts)
  }

  private func entity(_ entity: EntityDescription) -> YAMLValue {
    var fields = YAMLFields()
    fields.add("parent", entity.superentityName)
    fields.add("abstract", ifSet: entity.isAbstract)
    fields.add("renamingIdentifier", entity.renamingIdentifier)
    fields.add("versionHashModifier", entity.versionHashModifier)
    fields.add("table", entity.tableName)
    if entity.key != .bigint { fields.add("key", key(entity.key)) }
    fields.add("names", .texts(entity.objectNames))
    fields.add("class", entity.className)
    fields.add("attributes", .section(entity.attributes.map { YAMLField($0.name, attribute($0)) }))
    fields.add(
      "relationships",
      .section(entity.relationships.map { YAMLField($0.name, relationship($0)) })
    )
    fields.add(
      "fetchedProperties",
      .section(entity.fetchedProperties.map { YAMLField($0.name, fetchedProperty($0)) })
    )
    fields.add("unique", .list(entity.uniquenessConstraints.map { .texts($0) }))
    fields.add(
      "checks",
      .section(entity.checks.map { YAMLField($0.name, .text($0.expression)) })
    )
    fields.add("indexes", .section(entity.fetchIndexes.map { YAMLField($0.name, fetchIndex($0)) }))
    fields.add("compoundIndexes", .list(entity.compoundIndexes.map { .texts($0) }))
    fields.add("storage", storage(entity.storage))
    if let partitioning = entity.partitioning {
      fields.add("partition", self.partitioning(partitioning))
    }
    if let distribution = entity.distribution {
      fields.add("distribution", self.distribution(distribution))
    }
    fields.add("userInfo", .texts(entity.userInfo))
    add(entity.foreign, to: &fields)
    return .section(fields.entries)
  }

  // MARK: - Fetching

  private func fetchIndex(_ index: FetchIndexDescription) -> YAMLValue {
    let elements = YAMLValue.list(index.elements.map(indexElement))
    guard index.partialPredicate != nil || index.definition != nil || index.isUnique else {
      return elements
    }
    var fields = YAMLFields()
    if index.definition == nil || !index.elements.isEmpty { fields.add("elements", elements) }
    fields.add("sql", index.definition)
    fields.add("where", index.partialPredicate)
    fields.add("unique", ifSet: index.isUnique)
    return .fields(fields.entries)
  }

  private func indexElement(_ element: FetchIndexDescription.Element) -> YAMLValue {
    if let name = element.propertyName, element.kind == .binary, element.isAscending {
      return .text(name)
    }
    var fields = YAMLFields()
    fields.add("property", element.propertyName)
    fields.add("expression", element.expression)
    if element.kind != .binary { fields.add("kind", element.kind.rawValue) }
    fields.add("descending", ifSet: !element.isAscending)
    return .fields(fields.entries)
  }

  private func fetchedProperty(_ property: FetchedPropertyDescription) -> YAMLValue {
    var fields = YAMLFields()
    if let request = property.fetchRequest {
      if request.name != YAMLModelReader.fetchedPropertyRequestName {
        fields.add("request", request.name)
      }
      add(request, to: &fields)
    }
    fields.add("userInfo", .texts(property.userInfo))
    return .fields(fields.entries)
  }

  private func fetchRequest(_ request: FetchRequestTemplate) -> YAMLValue {
    var fields = YAMLFields()
    add(request, to: &fields)
    return .fields(fields.entries)
  }

  private func add(_ request: FetchRequestTemplate, to fields: inout YAMLFields) {
    fields.add("entity", request.entityName)
    fields.add("predicate", request.predicate)
    fields.add("options", .texts(request.options))
  }

  // MARK: - What only Xcode has a use for

  func add(_ foreign: ForeignContent, to fields: inout YAMLFields) {
    fields.add("xcode", .texts(foreign.attributes))
    fields.add("xcodeElements", .list(foreign.elements.map(foreignElement)))
  }

  private func foreignElement(_ element: ForeignElement) -> YAMLValue {
    var fields = YAMLFields()
    fields.add("name", element.name)
    fields.add("attributes", .texts(element.attributes))
    fields.add("elements", .list(element.elements.map(foreignElement)))
    return .fields(fields.entries)
  }
}

/// The storage settings of a model.
extension YAMLModelWriter {
  func key(_ key: KeyDescription) -> YAMLValue {
    guard !key.isPlain else { return .text(key.type.description) }
    var fields = YAMLFields()
    if key.type != .bigint { fields.add("type", key.type.description) }
    fields.add("column", key.columnName)
    fields.add("generated", key.generation?.description)
    return .fields(fields.entries)
  }

  func storage(_ storage: [String: String]) -> YAMLValue {
    var fields = YAMLFields()
    for parameter in StorageParameter.allCases {
      fields.add(parameter.key, constant: storage[parameter.rawValue])
    }
    return .fields(fields.entries)
  }

  func partitioning(_ partitioning: PartitioningDescription) -> YAMLValue {
    let method = partitioning.method
    var fields = YAMLFields()
    fields.add("every", constant: method.every?.description)
    if partitioning.ahead != PartitioningDescription.usualAhead {
      fields.add("ahead", constant: "\(partitioning.ahead)")
    }
    fields.add("keep", constant: partitioning.retention?.description)
    fields.add("values", .texts(method.values ?? []))
    guard !fields.entries.isEmpty else { return .text(method.description) }
    return .fields([YAMLField("by", .text(method.description))] + fields.entries)
  }

  func distribution(_ distribution: DistributionDescription) -> YAMLValue {
    guard case .rows(let property, let entity) = distribution else {
      return .text(distribution.kind.rawValue)
    }
    var fields = YAMLFields()
    fields.add("by", property ?? DistributionDescription.ownKey)
    fields.add("colocateWith", entity)
    return .fields(fields.entries)
  }

  func layout(_ layout: LayoutDescription) -> YAMLValue {
    var fields = YAMLFields()
    let usual = LayoutDescription()
    if layout.constraints != usual.constraints {
      fields.add("constraints", layout.constraints.rawValue)
    }
    if layout.indexNames != usual.indexNames {
      fields.add("indexNames", layout.indexNames.rawValue)
    }
    if layout.distribution != usual.distribution {
      fields.add("distribution", layout.distribution.rawValue)
    }
    return .fields(fields.entries)
  }

  func reference(_ reference: ReferenceDescription?) -> YAMLValue {
    guard let reference else { return .fields([]) }
    var fields = YAMLFields()
    fields.add("delete", reference.onDelete?.rawValue)
    fields.add("update", reference.onUpdate?.rawValue)
    let words = StorageWords.deferrabilities
    fields.add("deferrable", words.first { $0.value == reference.deferrability }?.word)
    if !reference.isIndexed { fields.add("index", constant: "false") }
    return .fields(fields.entries)
  }
}
