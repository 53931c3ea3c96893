internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Which statements and questions of a step are about which elements of the model.
package struct StepElements {
  private let step: MigrationStep

  /// Finds the elements of a step.
  package init(of step: MigrationStep) { self.step = step }

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
    let before = step.source.map { $0.projection.locations(of: propertyName, of: entityName) } ?? []
    let after = step.destination.projection.locations(of: propertyName, of: entityName)
    return places.contains { place in
      Self.isAbout(before, place.before) || Self.isAbout(after, place.after)
    }
  }

  /// The preconditions without a statement that may fail: the server would silently change values,
  /// or fail during the copy.
  package var unsaidPreconditions: [PlannedPrecondition] {
    let said = step.allStatements.filter { $0.impact.hazards.contains(.failsOnData) }.flatMap(
      \.places
    )
    .filter { $0.hazards.contains(.failsOnData) }
    return step.preconditions.filter { question in
      let asked = locations(of: question)
      return !said.contains { place in
        place.before.map(asked.contains) ?? false || place.after.map(asked.contains) ?? false
      }
    }
  }

  /// Returns whether a precondition is about an entity, or about a property of it.
  ///
  /// - Parameters:
  ///   - question: The precondition.
  ///   - entityName: The entity, by its name in either version.
  ///   - propertyName: The property, by its name in either version; `nil` for the entity as a
  ///     whole.
  /// - Returns: Whether it is.
  package func asks(
    _ question: PlannedPrecondition,
    about entityName: String,
    _ propertyName: String?
  ) -> Bool {
    let asked = locations(of: question)
    return projections.contains { projection in
      if let propertyName {
        return !asked.isDisjoint(with: projection.locations(of: propertyName, of: entityName))
      }
      guard let entity = projection.model.entity(named: entityName),
        let table = projection.table(of: entity)
      else { return false }
      return asked.contains { $0.table == table }
        || [entityName, table.name].contains(question.entityName)
    }
  }

  /// Returns the columns that a precondition checks, by their names in both versions.
  private func locations(of question: PlannedPrecondition) -> Set<StatementPlace.Location> {
    let columns = question.columns.map {
      StatementPlace.Location(table: $0.table, column: $0.column)
    }
    guard columns.isEmpty, let path = question.propertyName else { return Set(columns) }
    let property = String(path.prefix { $0 != "." })
    let mapping = step.mappingModel?.entityMappings.first {
      $0.sourceEntityName == question.entityName
    }
    let names = Set([question.entityName, mapping?.destinationEntityName].compactMap(\.self))
    return names.reduce(into: []) { found, name in
      for projection in projections {
        found.formUnion(projection.locations(of: property, of: name))
      }
    }
  }

  /// A table that is removed as a whole includes all of its columns.
  private static func isAbout(
    _ locations: Set<StatementPlace.Location>,
    _ location: StatementPlace.Location?
  ) -> Bool {
    guard let location else { return false }
    if location.column != nil { return locations.contains(location) }
    return locations.contains { $0.table == location.table }
  }

  private var projections: [ModelProjection] {
    [step.source?.projection, step.destination.projection].compactMap(\.self)
  }
}

extension ModelProjection {
  /// Returns the columns of a property.
  func locations(
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
