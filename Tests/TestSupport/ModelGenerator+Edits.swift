internal import MigrationPlanning
package import ModelMapping
package import ObjectModel
internal import SQLSyntax

extension ModelGenerator {
  /// Returns a next version of a model: a few edits that leave it valid.
  ///
  /// Renamed parts have renaming identifiers. Most edits can be inferred.
  ///
  /// - Parameter model: A model of this generator.
  /// - Returns: The next version.
  package mutating func randomEdit(of model: ManagedObjectModel) -> ManagedObjectModel {
    var draft = ModelDraft(after: model)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      var edited = draft
      applyAnyEdit(to: &edited)
      if isValid(edited.model) { draft = edited }
    }
    return draft.model
  }

  /// Returns a next version of a model with an inferred mapping.
  ///
  /// - Parameters:
  ///   - model: A model of this generator.
  ///   - refused: Counts the versions without an inferred mapping.
  /// - Returns: The next version with the mapping; `nil` after too many attempts.
  package mutating func inferredEdit(
    of model: ManagedObjectModel,
    refused: inout Int
  ) -> (model: ManagedObjectModel, mapping: CompleteMapping)? {
    for _ in 0..<8 {
      let next = randomEdit(of: model)
      if let mapping = try? CompleteMapping(from: model, to: next) { return (next, mapping) }
      refused += 1
    }
    return nil
  }

  private mutating func applyAnyEdit(to draft: inout ModelDraft) {
    if hasPartitions, random.once(in: 2) { return changePartitioning(&draft) }
    if hasComposites, random.once(in: 8) {
      editComposites(&draft)
      return draft.repair()
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      if let edit = random.pick(Edit.allCases) { apply(edit, to: &draft) }
    case 5..<8:
      if let edit = random.pick(HierarchyEdit.allCases) { apply(edit, to: &draft) }
    case 8..<9:
      if let move = random.pick(PropertyMove.allCases) { apply(move, to: &draft) }
    default:
      if let edit = random.pick(LinkEdit.allCases) { apply(edit, to: &draft) }
    }
    draft.repair()
  }

  /// Divides a table in another way, or no longer; the model may not allow it.
  private mutating func changePartitioning(_ draft: inout ModelDraft) {
    let roots = draft.entities.indices.filter { draft.entities[$0].superentityName == nil }
    guard let position = random.pick(roots) else { return }
    let attributes = draft.entities[position].attributes.filter { attribute in
      !attribute.isOptional && !attribute.isTransient && attribute.derivationExpression == nil
    }
    let attribute = random.pick(attributes)?.name
    let count = Int.random(in: 2...4, using: &random)
    let method: PartitioningDescription.Method? =
      switch (Int.random(in: 0..<5, using: &random), attribute) {
      case (0, _): nil
      case (1, let name?): .range(attribute: name, every: .time(count, .month))
      case (2, let name?): .range(attribute: name, every: .integers(count * 100))
      case (3, let name?): .hash(attribute: name, partitions: count)
      case (_, _): .hash(attribute: nil, partitions: count)
      }
    draft.entities[position].partitioning = method.map { PartitioningDescription($0) }
    // Few tables have nothing that partitions exclude.
    if method != nil {
      for member in draft.family(ofEntityAt: position) {
        draft.entities[member].uniquenessConstraints = []
      }
    }
  }

  /// Returns a model whose tables are distributed where Citus takes it.
  ///
  /// - Parameter model: A model of this generator.
  /// - Returns: The model.
  package mutating func distributed(_ model: ManagedObjectModel) -> ManagedObjectModel {
    let count = model.complaints().count
    var draft = ModelDraft(after: model)
    let roots = draft.entities.indices.filter { draft.entities[$0].superentityName == nil }
    // What is distributed in the first round allows more in the second one.
    for position in roots + roots {
      let entity = draft.entities[position]
      let names = entity.attributes.map(\.name) + draft.keptReferences(of: entity)
      let property = random.once(in: 3) ? nil : random.pick(names)
      let other = random.once(in: 3) ? random.pick(draft.entities)?.name : nil
      draft.entities[position].distribution =
        random.once(in: 3) ? .reference : .rows(by: property, colocateWith: other)
      if draft.model.complaints().count > count {
        draft.entities[position].distribution = entity.distribution
      }
    }
    return draft.model
  }

  /// Returns whether there is nothing wrong with a model and it has a place in a database.
  private func isValid(_ model: ManagedObjectModel) -> Bool {
    guard model.complaints().isEmpty else { return false }
    return (try? ModelProjection(model, schema: "s")) != nil
  }

  /// Returns an equal model in another order.
  ///
  /// - Parameter model: A model of this generator.
  /// - Returns: The model.
  package mutating func shuffled(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var entities = model.entities.shuffled(using: &random)
    for position in entities.indices {
      entities[position].attributes.shuffle(using: &random)
      entities[position].relationships.shuffle(using: &random)
      entities[position].fetchIndexes.shuffle(using: &random)
      entities[position].uniquenessConstraints.shuffle(using: &random)
    }
    return ManagedObjectModel(entities: entities, composites: model.composites)
  }

  /// A kind of change from one version to the next.
  enum Edit: CaseIterable {
    case addEntity, removeEntity, renameEntity, swapEntities, replaceEntity, changeTable
    case addSubentity
    case addAttribute, removeAttribute, renameAttribute, swapAttributes, replaceAttribute
    case changeOptional, changeDefault, changeType, changeColumn, changeTransient
    case addRelationship, removeRelationship, renameRelationship, attributeToRelationship
    case changeDeleteRule, changeRelationshipOptional, removeInverse, addInverse
    case addIndex, removeIndex, addUniqueness, removeUniqueness
    case changeHashModifier, shuffle
  }

  private mutating func apply(_ edit: Edit, to draft: inout ModelDraft) {
    switch edit {
    case .addEntity: addEntity(to: &draft)
    case .removeEntity, .renameEntity, .swapEntities, .replaceEntity, .changeTable, .addSubentity,
      .changeHashModifier, .shuffle:
      editEntities(edit, &draft)
    case .addAttribute, .removeAttribute, .renameAttribute, .swapAttributes, .replaceAttribute,
      .changeOptional, .changeDefault, .changeType, .changeColumn, .changeTransient,
      .attributeToRelationship:
      editAttributes(edit, &draft)
    case .addRelationship: addRelationship(to: &draft)
    case .removeRelationship, .renameRelationship, .changeDeleteRule, .changeRelationshipOptional,
      .removeInverse, .addInverse:
      editRelationships(edit, &draft)
    case .addIndex: addIndex(to: &draft)
    case .addUniqueness: addUniqueness(to: &draft)
    case .removeIndex, .removeUniqueness: editIndexes(edit, &draft)
    }
  }

  // MARK: - Entities

  private mutating func editEntities(_ edit: Edit, _ draft: inout ModelDraft) {
    let roots = draft.entities.indices.filter { draft.entities[$0].superentityName == nil }
    let hierarchies = roots.filter { draft.family(ofEntityAt: $0).count > 1 }
    // Those of hierarchies keep their names: their rows have them.
    let alone = roots.filter { !hierarchies.contains($0) && draft.isKnown(draft.entities[$0]) }
      .shuffled(using: &random)
    switch edit {
    case .removeEntity:
      guard roots.count > 1, let position = random.pick(roots) else { return }
      draft.removeFamily(ofEntityAt: position)
    case .renameEntity:
      guard let position = alone.first else { return }
      draft.renameEntities([draft.entities[position].name: name(capitalized: true)])
    case .swapEntities:
      guard alone.count > 1 else { return }
      let names = alone.prefix(2).map { draft.entities[$0].name }
      draft.renameEntities([names[0]: names[1], names[1]: names[0]])
    case .replaceEntity:
      guard alone.count > 1 else { return }
      let name = draft.entities[alone[0]].name
      guard draft.entities[alone[1]].canonicalName != name else { return }
      let other = draft.entities[alone[1]].name
      draft.removeFamily(ofEntityAt: alone[0])
      draft.renameEntities([other: name])
    case .changeTable:
      guard let position = random.pick(roots) else { return }
      let isNamed = draft.entities[position].tableName != nil
      draft.entities[position].tableName = isNamed ? nil : storageName("table")
    case .addSubentity:
      guard let position = random.pick(hierarchies) else { return }
      addSubentity(to: draft.entities[position].name, &draft)
    case .changeHashModifier:
      guard let position = random.pick(roots) else { return }
      draft.entities[position].versionHashModifier = name()
    case .shuffle:
      draft.entities = shuffled(draft.model).entities
    default:
      // The other edits are not of entities.
      return
    }
  }

  // MARK: - Attributes

  private mutating func editAttributes(_ edit: Edit, _ draft: inout ModelDraft) {
    guard let position = draft.entities.indices.randomElement(using: &random) else { return }
    if edit == .addAttribute {
      draft.entities[position].attributes.append(attribute())
      return
    }
    let order = draft.entities[position].attributes.indices.filter {
      let canonicalName = draft.entities[position].attributes[$0].canonicalName
      return draft.isKnown(canonicalName, ofEntityAt: position)
    }.shuffled(using: &random)
    guard let index = order.first else { return }
    let attribute = draft.entities[position].attributes[index]
    switch edit {
    case .removeAttribute:
      draft.removeAttribute(attribute.name, ofEntityAt: position)
    case .renameAttribute:
      draft.renameProperties([attribute.name: name()], ofEntityAt: position)
    case .swapAttributes:
      guard order.count > 1 else { return }
      let other = draft.entities[position].attributes[order[1]].name
      draft.renameProperties(
        [attribute.name: other, other: attribute.name],
        ofEntityAt: position
      )
    case .replaceAttribute:
      // One is removed, and another takes its name.
      guard order.count > 1 else { return }
      let other = draft.entities[position].attributes[order[1]]
      guard other.canonicalName != attribute.name else { return }
      draft.removeAttribute(attribute.name, ofEntityAt: position)
      draft.renameProperties([other.name: attribute.name], ofEntityAt: position)
    case .changeOptional:
      draft.entities[position].attributes[index].isOptional.toggle()
    case .changeDefault:
      draft.entities[position].attributes[index].defaultValue =
        random.once(in: 3) ? nil : defaultValue(of: attribute.type)
    case .changeType:
      changeType(ofAttributeAt: index, ofEntityAt: position, &draft)
    case .changeColumn:
      draft.entities[position].attributes[index].columnName =
        attribute.columnName == nil ? storageName("column") : nil
    case .changeTransient:
      if !attribute.isTransient { draft.forget(attribute.name, inFamilyOf: position) }
      draft.entities[position].attributes[index].isTransient.toggle()
    case .attributeToRelationship:
      // The name stays, so that a column takes the place of another one.
      guard let target = draft.entities.indices.randomElement(using: &random),
        !draft.isCanonical(attribute.name, inFamilyOf: position)
      else { return }
      draft.removeAttribute(attribute.name, ofEntityAt: position)
      addRelationship(to: &draft, from: position, to: target, named: attribute.name)
    default:
      // The other edits are not of attributes.
      return
    }
  }

  private mutating func changeType(
    ofAttributeAt index: Int,
    ofEntityAt position: Int,
    _ draft: inout ModelDraft
  ) {
    let attribute = draft.entities[position].attributes[index]
    let type = attribute.type
    // Two conversions one after the other may be more than one can infer.
    guard draft.knownType(of: attribute, ofEntityAt: position) == type else { return }
    let targets: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri, .varchar(40),
      .numeric(precision: 14, scale: 2), .numeric(precision: 10, scale: 3), .binary, .transformable,
      .boolean,
    ]
    let possible = targets.filter {
      switch AttributeConversion(from: type, to: $0) {
      case .identical, .lossless, .checked: $0 != type
      case .impossible: false
      }
    }
    guard let target = random.pick(possible) else { return }
    draft.entities[position].attributes[index].type = target
    let value = draft.entities[position].attributes[index].defaultValue
    draft.entities[position].attributes[index].defaultValue =
      value == nil ? nil : defaultValue(of: target)
  }
}
