package import ObjectModel

extension MappedVersion {
  /// Returns the version that is meant: by the copy of the model if the file has one, then by name,
  /// then by the names of entities and properties.
  ///
  /// - Parameters:
  ///   - versions: The versions of the bundle.
  ///   - model: Returns the model of a version, if it can be loaded.
  /// - Returns: The version; none if none or more than one fits.
  package func version(
    among versions: [ModelVersion],
    model: (ModelVersion) -> ManagedObjectModel?
  ) -> ModelVersion? {
    if !copiedNames.isEmpty {
      let fitting = best(versions) { version in
        guard let names = model(version)?.names, names.isSubset(of: copiedNames) else { return nil }
        return names.count
      }
      if fitting.count == 1 { return fitting[0] }
      if let named = fitting.first(where: { $0.name == name }) { return named }
    }
    if let name { return versions.first { $0.name == name } ?? byProperties(versions, model) }
    return byProperties(versions, model)
  }

  /// Returns the one version that has all that is named, and the fewest names besides.
  private func byProperties(
    _ versions: [ModelVersion],
    _ model: (ModelVersion) -> ManagedObjectModel?
  ) -> ModelVersion? {
    guard !propertyNames.isEmpty else { return nil }
    let fitting = best(versions) { version in
      guard let model = model(version), fits(model) else { return nil }
      return -model.names.count
    }
    return fitting.count == 1 ? fitting[0] : nil
  }

  private func fits(_ model: ManagedObjectModel) -> Bool {
    propertyNames.allSatisfy { name, properties in
      guard let entity = model.entity(named: name) else { return false }
      return properties.isSubset(of: model.propertyNames(of: entity))
    }
  }

  private func best(
    _ versions: [ModelVersion],
    score: (ModelVersion) -> Int?
  ) -> [ModelVersion] {
    let scored = versions.compactMap { version in score(version).map { (version, $0) } }
    let highest = scored.map(\.1).max()
    return scored.filter { $0.1 == highest }.map(\.0)
  }
}

extension ManagedObjectModel {
  fileprivate func propertyNames(of entity: EntityDescription) -> Set<String> {
    Set(effectiveAttributes(of: entity).map(\.name))
      .union(effectiveRelationships(of: entity).map(\.name))
  }

  /// The names of all entities and their properties.
  fileprivate var names: Set<String> {
    entities.reduce(into: []) { names, entity in
      names.insert(entity.name)
      names.formUnion(entity.attributes.map(\.name))
      names.formUnion(entity.relationships.map(\.name))
    }
  }
}
