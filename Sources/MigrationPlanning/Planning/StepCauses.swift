internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The elements of the model for whose sake a step does something.
package struct StepCauses {
  /// An element as the versions of a step call it.
  package struct Cause: Hashable, Sendable {
    /// The element in the source; `nil` if it is new.
    package var before: StepChanges.Subject?
    /// The element in the destination; its entity if the property is removed, and `nil` if that is
    /// removed, too.
    package var after: StepChanges.Subject?
  }

  private let source: ModelProjection?
  private let destination: ModelProjection
  private let mappingModel: MappingModel?

  /// Finds the elements of a step.
  package init(of step: MigrationStep) {
    source = step.source?.projection
    destination = step.destination.projection
    mappingModel = step.mappingModel
  }

  /// Returns the elements that a statement is about, each once; empty if it is about none.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - hazards: The hazards whose causes are meant, if the statement has some of them for one
  ///     element and not for another.
  /// - Returns: The elements.
  package func causes(of statement: PlannedStatement, for hazards: Set<Hazard>) -> [Cause] {
    let own = statement.places.filter { !$0.hazards.isDisjoint(with: hazards) }
    return Self.once((own.isEmpty ? statement.places : own).compactMap(cause(at:)))
  }

  /// Returns the element whose rows a precondition checks.
  package func cause(of precondition: PlannedPrecondition) -> Cause {
    let property = precondition.propertyName.map { path in String(path.prefix { $0 != "." }) }
    let name = precondition.entityName
    if property == nil, let subject = subject(ofChecked: precondition.columns) {
      return successor(of: subject)
    }
    guard source?.model.entity(named: name) != nil else {
      return Cause(after: present(name, property))
    }
    return successor(of: .init(entityName: name, propertyName: property))
  }

  /// Returns the element that a release of the version before no longer finds as it was.
  package func cause(of breakage: ReleaseBreakage) -> Cause? {
    let place = StatementPlace.Location(table: breakage.table, column: breakage.column)
    return source?.subject(of: place).map(successor)
  }

  /// Returns the property of a checked column; the entity, if several are checked.
  private func subject(ofChecked columns: Set<ColumnReference>) -> StepChanges.Subject? {
    let subjects = Set(
      columns.compactMap {
        source?.subject(of: StatementPlace.Location(table: $0.table, column: $0.column))
      }
    )
    guard var subject = subjects.min(by: { $0.description < $1.description }) else { return nil }
    if subjects.count > 1 { subject.propertyName = nil }
    return subject
  }

  private func successor(of subject: StepChanges.Subject) -> Cause {
    let after = present(successor(of: subject.entityName), subject.propertyName)
    return Cause(before: subject, after: after)
  }

  private func cause(at place: StatementPlace) -> Cause? {
    let before = place.before.flatMap { source?.subject(of: $0) }
    let after = place.after.flatMap { destination.subject(of: $0) }
    guard let before, after == nil else {
      return after == nil ? nil : Cause(before: before, after: after)
    }
    return Cause(before: before, after: present(successor(of: before.entityName), nil))
  }

  /// Returns the name of the entity that the rows of an entity are moved to.
  private func successor(of entityName: String) -> String {
    let mapping = mappingModel?.entityMappings.first {
      $0.sourceEntityName == entityName && $0.destinationEntityName != nil
    }
    return mapping?.destinationEntityName ?? entityName
  }

  /// Returns a property of the destination, by its name or its earlier one; the entity if there is
  /// none.
  private func present(_ entityName: String, _ propertyName: String?) -> StepChanges.Subject? {
    guard let entity = destination.model.entity(named: entityName) else { return nil }
    guard let propertyName else { return .init(entityName: entityName) }
    let properties =
      entity.attributes.map { ($0.name, $0.renamingIdentifier) }
      + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
    let found =
      properties.first { $0.0 == propertyName } ?? properties.first { $0.1 == propertyName }
    return .init(entityName: entityName, propertyName: found?.0)
  }

  private static func once(_ causes: [Cause]) -> [Cause] {
    causes.reduce(into: []) { found, cause in
      if !found.contains(cause) { found.append(cause) }
    }
  }
}

extension ReleaseBreakage {
  /// The column that it is about, if it is about one.
  fileprivate var column: SQLIdentifier? {
    switch self {
    case .columnRenamed(let column, _, _), .columnDropped(let column, _),
      .typeChanged(let column, _, _, _), .valueRequired(let column, _),
      .valueComputed(let column, _), .computationRequired(let column, _),
      .conditionRequired(let column, _), .referenceRequired(let column, _, _):
      column
    case .uniquenessRequired(let columns, _), .keyRemoved(let columns, _):
      columns.count == 1 ? columns.first : nil
    case .tableRenamed, .tableDropped, .deletionRefused, .keyChangeRefused, .nameRemoved,
      .entitiesRenamed, .rowsLeft:
      nil
    }
  }
}
