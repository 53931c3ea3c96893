internal import ObjectModel
internal import SQLSyntax

/// Which statements are about which elements of the model.
extension MigrationStep {
  /// Returns whether a statement locks the table of an entity, as either version calls it.
  package func locks(_ statement: PlannedStatement, tableOf entityName: String) -> Bool {
    projections.contains { projection in
      guard let entity = projection.model.entity(named: entityName),
        let table = projection.table(of: entity)
      else { return false }
      return statement.impact.locks.keys.contains(table)
        || statement.places.contains { $0.before?.table == table || $0.after?.table == table }
    }
  }

  /// Returns whether a statement has a hazard for the sake of a property.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - propertyName: The property, as either version calls it.
  ///   - entityName: The entity, as either version calls it.
  ///   - hazard: The hazard.
  /// - Returns: Whether it has.
  package func changes(
    _ statement: PlannedStatement,
    _ propertyName: String,
    of entityName: String,
    hazard: Hazard
  ) -> Bool {
    let places = statement.places.filter { $0.hazards.contains(hazard) }
    let before = source.map { $0.projection.locations(of: propertyName, of: entityName) } ?? []
    let after = destination.projection.locations(of: propertyName, of: entityName)
    return places.contains { place in
      Self.isAbout(before, place.before) || Self.isAbout(after, place.after)
    }
  }

  /// What goes as a whole takes all of its columns along.
  private static func isAbout(
    _ locations: Set<StatementPlace.Location>,
    _ location: StatementPlace.Location?
  ) -> Bool {
    guard let location else { return false }
    if location.column != nil { return locations.contains(location) }
    return locations.contains { $0.table == location.table }
  }

  private var projections: [ModelProjection] {
    [source?.projection, destination.projection].compactMap(\.self)
  }
}

extension ModelProjection {
  /// Returns the columns of a property.
  fileprivate func locations(
    of propertyName: String,
    of entityName: String
  ) -> Set<StatementPlace.Location> {
    guard let entity = model.entity(named: entityName) else { return [] }
    let declaring = Set(model.lineage(of: entity).map(\.name))
    let columns = columns.filter { origin, _ in
      let subject = origin.subject
      return subject.propertyName == propertyName && declaring.contains(subject.entityName)
    }
    return Set(columns.values.map { StatementPlace.Location(table: $0.table, column: $0.column) })
  }
}
