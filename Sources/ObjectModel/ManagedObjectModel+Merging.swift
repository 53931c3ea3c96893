extension ManagedObjectModel {
  /// Why models cannot be merged: two of them have something of one name that differs.
  public struct MergeConflict: Error, Hashable, Sendable {
    /// The part that both have: `entity "Book"`.
    public let part: String
    /// The position of the first model.
    public let first: Int
    /// The position of the other.
    public let second: Int
  }

  /// Creates a model with the entities and other parts of several models; equal parts occur once.
  ///
  /// As with `NSManagedObjectModel(byMerging:)`, relationships do not connect entities of different
  /// models.
  ///
  /// - Parameter models: The models.
  /// - Throws: ``MergeConflict`` if parts with the same name differ.
  public init(merging models: [ManagedObjectModel]) throws(MergeConflict) {
    var entities = MergedParts<EntityDescription>("entity")
    var composites = MergedParts<CompositeDescription>("composite")
    var fetchRequests = MergedParts<FetchRequestTemplate>("fetch request")
    var configurations: [ModelConfiguration] = []
    for (position, model) in models.enumerated() {
      guard model.layout == models[0].layout else {
        throw MergeConflict(part: "layout", first: 0, second: position)
      }
      for entity in model.entities { try entities.add(entity, entity.name, position) }
      for composite in model.composites {
        try composites.add(composite, composite.name, position)
      }
      for request in model.fetchRequests {
        try fetchRequests.add(request, request.name, position)
      }
      // A configuration is a part of the whole: each model adds to it.
      for configuration in model.configurations {
        if let known = configurations.firstIndex(where: { $0.name == configuration.name }) {
          let names = configurations[known].entityNames
          configurations[known].entityNames +=
            configuration.entityNames.filter { !names.contains($0) }
        } else {
          configurations.append(configuration)
        }
      }
    }
    self.init(
      entities: entities.values,
      composites: composites.values,
      configurations: configurations,
      fetchRequests: fetchRequests.values,
      layout: models.first?.layout ?? LayoutDescription()
    )
  }
}

/// Parts of several models, each name once.
private struct MergedParts<Part: Equatable> {
  private(set) var values: [Part] = []
  private let kind: String
  private var positions: [String: (index: Int, model: Int)] = [:]

  init(_ kind: String) {
    self.kind = kind
  }

  mutating func add(
    _ part: Part,
    _ name: String,
    _ model: Int
  ) throws(ManagedObjectModel.MergeConflict) {
    guard let known = positions[name] else {
      positions[name] = (values.count, model)
      values.append(part)
      return
    }
    guard values[known.index] != part else { return }
    throw ManagedObjectModel.MergeConflict(
      part: "\(kind) \"\(name)\"",
      first: known.model,
      second: model
    )
  }
}
