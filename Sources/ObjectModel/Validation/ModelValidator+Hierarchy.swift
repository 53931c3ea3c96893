import Diagnostics

/// The names that are in scope while an entity is visited: its own and those that it inherits.
struct PropertyScope {
  /// The property of each name, with the name of the entity that declares it.
  var properties: [String: (element: ModelElement, entity: String)] = [:]
  /// The names by which properties are matched between versions.
  var canonicalNames = CanonicalNames()
  /// A Boolean value that indicates whether all superentities are known.
  var isComplete = true

  /// Makes room for so many names besides those in scope.
  mutating func reserveCapacity(_ count: Int) {
    properties.reserveCapacity(properties.count + count)
    canonicalNames.reserveCapacity(properties.count + count)
  }
}

/// Checks of hierarchies, from each root downwards, so that entities look up inherited names
/// instead of collecting them.
extension ModelValidator {
  private enum Visit {
    case enter(Int)
    case leave(names: [String], canonicalNames: [CanonicalNames.Key])
  }

  mutating func checkHierarchies() {
    let inverses = inverseQuestions()
    var isVisited = [Bool](repeating: false, count: model.entities.count)
    for root in model.entities.indices where model.hierarchy.parents[root] == nil {
      visit(root, inverses: inverses, isVisited: &isVisited)
    }
    // Only those that inherit from a cycle are left, which have no root.
    checkCycles(isAcyclic: isVisited)
    for index in model.entities.indices where !isVisited[index] {
      isVisited[index] = true
      var scope = PropertyScope()
      scope.isComplete = false
      _ = checkEntity(at: index, root: index, inverses: inverses, scope: &scope)
    }
  }

  private mutating func visit(
    _ root: Int,
    inverses: [[InverseQuestion]],
    isVisited: inout [Bool]
  ) {
    var scope = PropertyScope()
    if let name = model.entities[root].superentityName {
      scope.isComplete = false
      let suggestion = similar(to: name, among: entityNames)
      add(.unrecognizedSuperentity(name, suggestion: suggestion), to: .entity(root))
    }
    var pending: [Visit] = [.enter(root)]
    while let next = pending.popLast() {
      switch next {
      case .enter(let index):
        isVisited[index] = true
        let added = checkEntity(at: index, root: root, inverses: inverses, scope: &scope)
        let children = model.hierarchy.children[index]
        // Nobody sees the names that the last entity adds.
        if pending.isEmpty, children.isEmpty { return }
        pending.append(.leave(names: added.names, canonicalNames: added.canonicalNames))
        pending += children.reversed().map { .enter($0) }
      case .leave(let names, let canonicalNames):
        for name in names { scope.properties[name] = nil }
        for name in canonicalNames { scope.canonicalNames.remove(name) }
      }
    }
  }

  private mutating func checkCycles(isAcyclic: [Bool]) {
    var isDone = isAcyclic
    for start in isDone.indices where !isDone[start] {
      var path: [Int] = []
      var positions: [Int: Int] = [:]
      var current: Int? = start
      while let index = current, !isDone[index], positions[index] == nil {
        positions[index] = path.count
        path.append(index)
        current = model.hierarchy.parents[index]
      }
      for index in path { isDone[index] = true }
      guard let closing = current, let position = positions[closing] else { continue }
      let cycle = path[position...].map { model.entities[$0].name } + [model.entities[closing].name]
      add(.cyclicSuperentities(cycle), to: .entity(closing))
    }
  }

  /// Checks an entity, and returns the names that it puts into scope.
  private mutating func checkEntity(
    at index: Int,
    root: Int,
    inverses: [[InverseQuestion]],
    scope: inout PropertyScope
  ) -> (names: [String], canonicalNames: [CanonicalNames.Key]) {
    let entity = model.entities[index]
    checkStorage(of: entity, at: index, root: root)
    let added = declareProperties(of: entity, at: index, in: &scope)
    for (position, attribute) in entity.attributes.enumerated() {
      checkAttribute(attribute, at: .attribute(entity: index, position))
    }
    for (position, relationship) in entity.relationships.enumerated() {
      checkRelationship(relationship, at: .relationship(entity: index, position))
    }
    for (position, property) in entity.fetchedProperties.enumerated() {
      guard let request = property.fetchRequest else { continue }
      checkEntity(
        request.entityName,
        of: .fetchedProperty(entity: index, position),
        .warning
      )
    }
    checkPropertyLists(of: entity, at: index, in: scope)
    checkNames(of: entity, at: index)
    if index != root { checkServerSettingsBelowRoot(of: entity, at: index) }
    if scope.isComplete {
      for question in inverses[index] { answer(question, in: scope) }
    }
    return added
  }

  private mutating func checkStorage(of entity: EntityDescription, at index: Int, root: Int) {
    checkStorageName(entity.tableName, .table, of: .entity(index))
    guard index != root else {
      let hasTable = model.hierarchy.family(of: index).contains { !model.entities[$0].isAbstract }
      // Nothing is wrong with the database, so the model can be used.
      if !hasTable {
        for setting in entity.tableSettings {
          add(.tableSettingWithoutTable(setting), to: .entity(index), .warning)
        }
      }
      return checkKey(entity.key, at: .entity(index))
    }
    let rootName = model.entities[root].name
    if entity.tableName != nil { add(.tableNameBelowRoot(root: rootName), to: .entity(index)) }
    if entity.key != .bigint { add(.keyBelowRoot(root: rootName), to: .entity(index)) }
    for setting in entity.tableSettings {
      add(.tableSettingBelowRoot(setting, root: rootName), to: .entity(index))
    }
  }

  private mutating func declareProperties(
    of entity: EntityDescription,
    at index: Int,
    in scope: inout PropertyScope
  ) -> (names: [String], canonicalNames: [CanonicalNames.Key]) {
    var added: (names: [String], canonicalNames: [CanonicalNames.Key]) = ([], [])
    let properties = entity.properties(at: index)
    scope.reserveCapacity(properties.count)
    for (element, name, canonicalName) in properties {
      checkName(name, of: element)
      if let other = scope.properties[name] {
        let isOwn = other.element.enclosing == .entity(index)
        add(isOwn ? .duplicateName : .inheritedName(from: other.entity), to: element)
        continue
      }
      scope.properties[name] = (element, entity.name)
      added.names.append(name)
      let (key, complaint) = scope.canonicalNames.insert(name, canonicalName, element)
      if let key { added.canonicalNames.append(key) }
      add(complaint)
    }
    return added
  }
}

extension EntityDescription {
  /// The settings of a table that are set.
  fileprivate var tableSettings: [ModelComplaint.TableSetting] {
    (storage.isEmpty ? [] : [.storageParameters]) + (partitioning == nil ? [] : [.partitions])
      + (distribution == nil ? [] : [.distribution])
  }

  /// The properties that the entity declares, by position.
  fileprivate func properties(
    at index: Int
  ) -> [(element: ModelElement, name: String, canonicalName: String)] {
    attributes.enumerated().map {
      (.attribute(entity: index, $0.offset), $0.element.name, $0.element.canonicalName)
    }
      + relationships.enumerated().map {
        (.relationship(entity: index, $0.offset), $0.element.name, $0.element.canonicalName)
      }
      + fetchedProperties.enumerated().map {
        (.fetchedProperty(entity: index, $0.offset), $0.element.name, $0.element.name)
      }
  }
}
