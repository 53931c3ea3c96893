internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Composites of the destination, beside those that the source has.
extension Reinstatement {
  /// Returns the type that an attribute of the destination has in the model that is made: composites
  /// that the source has not, or has otherwise, are added under names of their own.
  mutating func adopted(_ type: AttributeType) -> AttributeType {
    guard case .composite(let name) = type,
      var composite = destination.projection.model.composite(named: name)
    else { return type }
    if let known = compositeNames[name] { return .composite(known) }
    for index in composite.elements.indices {
      composite.elements[index].type = adopted(composite.elements[index].type)
    }
    if !composites.contains(composite) {
      composite.name = free(name, among: composites.map(\.name))
      composites.append(composite)
    }
    compositeNames[name] = composite.name
    return .composite(composite.name)
  }

  /// Puts back elements of a composite that have gone while its attribute has stayed.
  mutating func putBackElements(
    of attribute: AttributeDescription,
    _ entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    guard case .composite(let name) = attribute.type,
      let (owner, before) = matching.sourceAttribute(of: attribute, entity, from: heir(of: entity)),
      case .composite(let formerName) = before.type
    else { return }
    var found: [[String]: (place: ColumnReference, object: RetainedObject)] = [:]
    for leaf in matching.addedParts(from: before, to: attribute) {
      guard
        let place = destination.projection.columns[
          .attribute(entity: entity.name, attribute.name, path: leaf.path)
        ], let object = columns[place], hasTable(entity, [object.table])
      else { continue }
      found[leaf.path] = (place, object)
    }
    guard !found.isEmpty else { return }
    var paths: [[String]: [String]] = [:]
    let extended = extended(formerName, by: name, found.keys.sorted(by: Self.isBefore), &paths)
    withEntity(owner) { entity in
      for index in entity.attributes.indices where entity.attributes[index].name == before.name {
        entity.attributes[index].type = .composite(extended)
      }
    }
    for (path, (place, object)) in found {
      putBack(object, place)
      ownOrigins[place] = [
        .attribute(entity: owner, before.name, path: paths[path] ?? path)
      ]
    }
  }

  /// Adds a composite like one of the source with elements that it has lost.
  ///
  /// - Parameters:
  ///   - formerName: The composite of the source; none if the source has nothing like it.
  ///   - name: The composite of the destination.
  ///   - missing: The paths of the elements in the composite of the destination.
  ///   - paths: Gets the paths in what is added, by those.
  /// - Returns: The name of what is added.
  private mutating func extended(
    _ formerName: String?,
    by name: String,
    _ missing: [[String]],
    _ paths: inout [[String]: [String]]
  ) -> String {
    let model = source.projection.model
    var elements = formerName.flatMap { model.composite(named: $0) }?.elements ?? []
    for element in destination.projection.model.composite(named: name)?.elements ?? [] {
      let below = missing.filter { $0.first == element.name }.map { Array($0.dropFirst()) }
      guard !below.isEmpty else { continue }
      let index = elements.firstIndex { $0.canonicalName == element.canonicalName }
      var added = index.map { elements[$0] } ?? element
      if index == nil {
        added.name = free(element.name, among: elements.map(\.name))
        added.renamingIdentifier = element.canonicalName
        added.isOptional = true
      }
      if case .composite(let inner) = element.type {
        var innerPaths: [[String]: [String]] = [:]
        var formerInner: String?
        if index != nil, case .composite(let name) = added.type { formerInner = name }
        added.type = .composite(extended(formerInner, by: inner, below, &innerPaths))
        for (path, innerPath) in innerPaths {
          paths[[element.name] + path] = [added.name] + innerPath
        }
      } else {
        paths[[element.name]] = [added.name]
      }
      if let index { elements[index] = added } else { elements.append(added) }
    }
    let composite = CompositeDescription(
      name: free(formerName ?? name, among: composites.map(\.name)),
      elements: elements
    )
    composites.append(composite)
    return composite.name
  }

  private static func isBefore(_ first: [String], _ second: [String]) -> Bool {
    first.lexicographicallyPrecedes(second)
  }
}
