extension ManagedObjectModel {
  /// Returns the part of the model that a configuration names, superentities of its members
  /// included, or `nil` if the model has no such configuration.
  public func restricted(toConfiguration name: String) -> ManagedObjectModel? {
    guard let configuration = configurations.first(where: { $0.name == name }) else { return nil }
    var members = Set(configuration.entityNames)
    for entity in entities where members.contains(entity.name) {
      members.formUnion(superentities(of: entity).map(\.name))
    }
    return ManagedObjectModel(
      entities: entities.filter { members.contains($0.name) },
      composites: composites,
      configurations: [configuration],
      fetchRequests: fetchRequests.filter { members.contains($0.entityName) },
      versionIdentifier: versionIdentifier,
      foreign: foreign
    )
  }
}
