internal import ObjectModel
internal import SQLSyntax

/// The names in a model that indexes have in the database as well, where the model wants this.
///
/// A schema has the name of a relation once, an entity that of an index. A name that two indexes want, or that
/// is one of a table, none of them gets: which index has it must not depend on an order.
struct IndexNames {
  /// The names.
  private(set) var names: Set<SQLIdentifier> = []
  /// The indexes that are called after their columns all the same.
  private(set) var concessions: [NameConcession] = []

  /// Finds the names in a model.
  ///
  /// - Parameters:
  ///   - projection: The projection of the model.
  ///   - given: The names that the model gives to other things.
  ///   - others: The names that keys, uniqueness constraints and sequences have by the rules.
  init(_ projection: ModelProjection, besides given: GivenNames, _ others: Set<SQLIdentifier>) {
    let model = projection.model
    var places: [SQLIdentifier: [ModelElement]] = [:]
    for entity in model.entities where projection.table(of: entity) != nil {
      for index in entity.declaredIndexes where !index.name.isEmpty {
        let position = entity.fetchIndexes.firstIndex(of: index)
        let element = model.element(of: entity) { entity in
          position.map { .fetchIndex(entity: entity, $0) } ?? .entity(entity)
        }
        places[SQLIdentifier(index.name), default: []].append(element)
      }
    }
    for (name, elements) in places.sorted(by: { $0.key < $1.key }) {
      let isFree =
        projection.schema.tables[name] == nil && !given.hasRelation(name) && !others.contains(name)
      let fits = name.name.utf8.count <= SQLIdentifier.maximumLength && !name.name.contains("\0")
      if elements.count == 1, isFree, fits {
        names.insert(name)
      } else {
        concessions += elements.map {
          NameConcession(element: $0, wanted: name, name: name, table: nil, isIndex: true)
        }
      }
    }
  }
}
