import ObjectModel

/// Makes Xcode's XML of a model; the reader's counterpart.
struct XcodeModelWriter {
  /// The foreign parts of elements that the model cannot store, in the order of the file.
  private var leftovers: [String: ArraySlice<ForeignElement>] = [:]

  /// Returns the file `contents` of a model.
  static func text(of model: ManagedObjectModel) -> String {
    var writer = XcodeModelWriter()
    return XMLWriter.text(of: writer.root(model))
  }

  private mutating func root(_ model: ManagedObjectModel) -> XMLTag {
    var root = XMLTag("model")
    for (name, value) in XcodeModelReader.format {
      root.add(name, model.foreign.attributes[name] ?? value)
    }
    root.add(model.foreign.attributes)
    root.add("userDefinedModelVersionIdentifier", model.versionIdentifier ?? "")
    let places: Set = ["fetchIndex", "fetchedProperty", "configuration"]
    for element in model.foreign.elements where places.contains(element.name) {
      leftovers[element.name, default: []].append(element)
    }
    for (index, entity) in model.entities.enumerated() {
      // A model has no user info.
      let layout = index == 0 ? model.layout : LayoutDescription()
      root.children.append(self.entity(entity, layout))
    }
    root.children += model.fetchRequests.map { fetchRequest($0) }
    root.children += model.configurations.map { configuration($0) }
    root.children += model.composites.map { composite in
      var tag = XMLTag("composite")
      tag.add("name", composite.name)
      tag.add(composite.foreign.attributes)
      tag.children =
        composite.elements.map { attribute($0) } + composite.foreign.elements.map(XMLTag.init)
      return tag
    }
    root.children += model.foreign.elements.filter { !places.contains($0.name) }.map(XMLTag.init)
    return root
  }

  private mutating func entity(
    _ entity: EntityDescription,
    _ layout: LayoutDescription
  ) -> XMLTag {
    var tag = XMLTag("entity")
    tag.add("name", entity.name)
    tag.add("representedClassName", entity.className)
    tag.add("parentEntity", entity.superentityName)
    tag.add("isAbstract", ifSet: entity.isAbstract)
    tag.add("elementID", entity.renamingIdentifier)
    tag.add("versionHashModifier", entity.versionHashModifier)
    tag.add(entity.foreign.attributes)
    tag.children += entity.attributes.map { attribute($0) }
    tag.children += entity.relationships.map { relationship($0) }
    tag.children += entity.fetchedProperties.map { fetchedProperty($0) }
    tag.children += entity.fetchIndexes.map { fetchIndex($0) }
    tag.children += lists(
      entity.compoundIndexes,
      "compoundIndexes",
      of: "compoundIndex",
      element: "index"
    )
    tag.children += lists(
      entity.uniquenessConstraints,
      "uniquenessConstraints",
      of: "uniquenessConstraint",
      element: "constraint"
    )
    var userInfo = entity.userInfo
    userInfo.addSetting("table", entity.tableName)
    addStorage(of: entity, to: &userInfo)
    add(layout, to: &userInfo)
    tag.children += self.userInfo(userInfo)
    tag.children += entity.foreign.elements.map(XMLTag.init)
    return tag
  }

  private func lists(
    _ lists: [[String]],
    _ name: String,
    of listName: String,
    element elementName: String
  ) -> [XMLTag] {
    guard !lists.isEmpty else { return [] }
    var tag = XMLTag(name)
    tag.children = lists.map { list in
      var tag = XMLTag(listName)
      tag.children = list.map { name in
        var tag = XMLTag(elementName)
        tag.add("value", name)
        return tag
      }
      return tag
    }
    return [tag]
  }

  func userInfo(_ userInfo: [String: String]) -> [XMLTag] {
    guard !userInfo.isEmpty else { return [] }
    var tag = XMLTag("userInfo")
    let sorted = userInfo.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    tag.children = sorted.map { key, value in
      var entry = XMLTag("entry")
      entry.add("key", key)
      entry.add("value", value)
      return entry
    }
    return [tag]
  }

  // MARK: - Fetching

  private mutating func fetchIndex(_ index: FetchIndexDescription) -> XMLTag {
    var tag = XMLTag("fetchIndex")
    tag.add("name", index.name)
    tag.add("partialIndexPredicate", index.partialPredicate)
    tag.children = index.elements.map { element in
      var tag = XMLTag("fetchIndexElement")
      tag.add("property", element.propertyName)
      tag.add("expression", element.expression)
      tag.add("type", XcodeModelWriter.word(for: element.kind, among: XcodeModelReader.indexKinds))
      tag.add("order", element.isAscending ? "ascending" : "descending")
      return tag
    }
    addLeftovers(to: &tag, named: index.name)
    return tag
  }

  private mutating func fetchedProperty(_ property: FetchedPropertyDescription) -> XMLTag {
    var tag = XMLTag("fetchedProperty")
    tag.add("name", property.name)
    tag.children = property.fetchRequest.map { [fetchRequest($0)] } ?? []
    tag.children += userInfo(property.userInfo)
    addLeftovers(to: &tag, named: property.name)
    return tag
  }

  private func fetchRequest(_ request: FetchRequestTemplate) -> XMLTag {
    var tag = XMLTag("fetchRequest")
    tag.add("name", request.name)
    tag.add("entity", request.entityName)
    tag.add("predicateString", request.predicate)
    tag.add(request.options)
    return tag
  }

  private mutating func configuration(_ configuration: ModelConfiguration) -> XMLTag {
    var tag = XMLTag("configuration")
    tag.add("name", configuration.name)
    tag.children = configuration.entityNames.map { name in
      var tag = XMLTag("memberEntity")
      tag.add("name", name)
      return tag
    }
    addLeftovers(to: &tag, named: configuration.name)
    return tag
  }

  /// Restores the foreign parts of an element that the reader stored in the model, in the order of
  /// the file.
  private mutating func addLeftovers(to tag: inout XMLTag, named name: String) {
    guard let next = leftovers[tag.name]?.first, next.attributes["name"] == name else { return }
    leftovers[tag.name]?.removeFirst()
    tag.add(next.attributes)
    tag.children += next.elements.map(XMLTag.init)
  }
}

extension [String: String] {
  /// Adds one of our own settings, for which Xcode's format has no place.
  mutating func addSetting(_ name: String, _ value: String?) {
    if let value { self[StorageSettings.prefix + name] = value }
  }
}

/// The storage settings of a model, for user info.
extension XcodeModelWriter {
  func addStorage(of entity: EntityDescription, to userInfo: inout [String: String]) {
    if entity.key.type != .bigint { userInfo.addSetting("key", entity.key.type.description) }
    userInfo.addSetting("keyColumn", entity.key.columnName)
    userInfo.addSetting("keyGenerated", entity.key.generation?.description)
    for check in entity.checks { userInfo.addSetting("check.\(check.name)", check.expression) }
    for (ours, name) in entity.objectNames { userInfo.addSetting("name.\(ours)", name) }
    for parameter in StorageParameter.allCases {
      userInfo.addSetting("storage.\(parameter.key)", entity.storage[parameter.rawValue])
    }
    if let partitioning = entity.partitioning { add(partitioning, to: &userInfo) }
    if let distribution = entity.distribution { add(distribution, to: &userInfo) }
    for index in entity.fetchIndexes {
      userInfo.addSetting("indexSQL.\(index.name)", index.definition)
      if index.isUnique { userInfo.addSetting("uniqueIndex.\(index.name)", "YES") }
    }
  }

  private func add(
    _ partitioning: PartitioningDescription,
    to userInfo: inout [String: String]
  ) {
    let method = partitioning.method
    userInfo.addSetting("partition", method.description)
    userInfo.addSetting("partition.every", method.every?.description)
    if partitioning.ahead != PartitioningDescription.usualAhead {
      userInfo.addSetting("partition.ahead", "\(partitioning.ahead)")
    }
    userInfo.addSetting("partition.keep", partitioning.retention?.description)
    userInfo.addSetting("partition.values", method.values.map(ArgumentList.text(of:)))
  }

  private func add(
    _ distribution: DistributionDescription,
    to userInfo: inout [String: String]
  ) {
    let reference = DistributionDescription.Kind.reference.rawValue
    guard case .rows(let property, let entity) = distribution else {
      return userInfo.addSetting("distribution", reference)
    }
    let text = property.map { name in
      name == reference ? ArgumentList.quoted(name) : ArgumentList.text(of: [name])
    }
    userInfo.addSetting("distribution", text ?? DistributionDescription.ownKey)
    userInfo.addSetting("distribution.colocateWith", entity)
  }

  func add(_ layout: LayoutDescription, to userInfo: inout [String: String]) {
    let usual = LayoutDescription()
    if layout.constraints != usual.constraints {
      userInfo.addSetting("layout.constraints", layout.constraints.rawValue)
    }
    if layout.indexNames != usual.indexNames {
      userInfo.addSetting("layout.indexNames", layout.indexNames.rawValue)
    }
    if layout.distribution != usual.distribution {
      userInfo.addSetting("layout.distribution", layout.distribution.rawValue)
    }
  }

  func addReference(_ reference: ReferenceDescription?, to userInfo: inout [String: String]) {
    guard let reference else { return }
    userInfo.addSetting("delete", reference.onDelete?.rawValue)
    userInfo.addSetting("update", reference.onUpdate?.rawValue)
    let words = StorageWords.deferrabilities
    userInfo.addSetting("deferrable", words.first { $0.value == reference.deferrability }?.word)
    if !reference.isIndexed { userInfo.addSetting("index", "NO") }
  }
}
