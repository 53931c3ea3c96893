package import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The purposes of a step's statements, in terms of the model.
package struct StepChanges: Sendable {
  /// An entity or a property that a statement is about.
  package struct Subject: Hashable, Sendable, CustomStringConvertible {
    /// The entity.
    package var entityName: String
    /// The property, if it is about one.
    package var propertyName: String?

    /// The names, as `Book.title`.
    package var description: String {
      propertyName.map { "\(entityName).\($0)" } ?? entityName
    }
  }

  private let source: ModelProjection?
  private let destination: ModelProjection
  /// All in which the versions of the step differ.
  let difference: ModelDifference
  private let changes: [Subject: [ModelChange]]

  /// Compares the versions of a step.
  package init(of step: MigrationStep) {
    source = step.source?.projection
    destination = step.destination.projection
    let empty = ManagedObjectModel(entities: [])
    difference = ModelDifference(from: source?.model ?? empty, to: destination.model)
    changes = Dictionary(grouping: difference.changes) {
      Subject(entityName: $0.entityName, propertyName: $0.propertyName)
    }
  }

  /// Returns the subjects of a statement, each once; empty if it is about no part of the model.
  package func subjects(of statement: PlannedStatement) -> [Subject] {
    var subjects: [Subject] = []
    for place in statement.places {
      guard let subject = subject(of: place), !subjects.contains(subject) else { continue }
      subjects.append(subject)
    }
    return subjects
  }

  /// Returns the changes of the model that a statement carries out.
  package func changes(of statement: PlannedStatement) -> [ModelChange] {
    var found: [ModelChange] = []
    for subject in subjects(of: statement) {
      let own = changes[subject] ?? []
      let keys = keyChanges(of: subject, for: statement)
      let entity = changes[Subject(entityName: subject.entityName)] ?? []
      // A property without a reason of its own changes because of its entity.
      let reasons =
        own.isEmpty && keys.isEmpty ? entity.filter { $0.concern == .wholeEntity } : own + keys
      for change in reasons where !found.contains(change) { found.append(change) }
    }
    // What has no other reason is laid out otherwise.
    return found.isEmpty ? changes[Subject(entityName: "")] ?? [] : found
  }

  /// The uniqueness constraints and indexes of the entity that a statement about their columns is for.
  private func keyChanges(of subject: Subject, for statement: PlannedStatement) -> [ModelChange] {
    guard let property = subject.propertyName, statement.places.contains(where: \.isOfKey) else {
      return []
    }
    let entity = changes[Subject(entityName: subject.entityName)] ?? []
    return entity.filter { change in
      guard change.concern == .key else { return false }
      let text = change.after ?? change.before ?? ""
      return text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == property }
    }
  }

  // MARK: - Places

  private func subject(of place: StatementPlace) -> Subject? {
    if let after = place.after, let subject = destination.subject(of: after) { return subject }
    return place.before.flatMap { source?.subject(of: $0) }
  }
}

extension ModelChange {
  /// The part of an entity that a change is about.
  fileprivate enum Concern {
    case wholeEntity
    case key
    case part
  }

  fileprivate var concern: Concern {
    switch kind {
    case .entityAdded, .entityRemoved, .entityRenamed, .parentChanged, .abstractChanged,
      .tableChanged, .keyChanged, .storageChanged, .partitioningChanged,
      .distributionChanged:
      .wholeEntity
    case .uniquenessAdded, .uniquenessRemoved, .indexAdded, .indexRemoved: .key
    case .attributeAdded, .attributeRemoved, .attributeRenamed, .relationshipAdded,
      .relationshipRemoved, .relationshipRenamed, .typeChanged, .optionalChanged, .defaultChanged,
      .derivationChanged, .transientChanged, .columnChanged, .validationChanged,
      .hashModifierChanged, .renamingIdentifierChanged, .destinationChanged, .inverseChanged,
      .toManyChanged, .orderedChanged, .countsChanged, .deleteRuleChanged, .joinTableChanged,
      .checkAdded, .checkRemoved, .objectNameAdded, .objectNameRemoved, .generationChanged,
      .numberingChanged, .referenceChanged, .layoutChanged:
      .part
    }
  }
}

extension ModelProjection {
  /// Returns the element of the model that a table or column represents.
  func subject(of location: StatementPlace.Location) -> StepChanges.Subject? {
    if let column = location.column,
      let origin = columnOrigins[location.table]?[column]
    {
      return origin.subject
    }
    switch tableOrigins[location.table] {
    case .root(let entity): return StepChanges.Subject(entityName: entity)
    case .join(let entity, let relationship):
      return StepChanges.Subject(entityName: entity, propertyName: relationship)
    case nil: return nil
    }
  }
}

extension ColumnOrigin {
  /// The entity or property that it belongs to.
  var subject: StepChanges.Subject {
    switch self {
    case .key(let entity), .discriminator(let entity):
      StepChanges.Subject(entityName: entity)
    case .attribute(let entity, let name, _), .reference(let entity, let name),
      .position(let entity, let name), .joinedDestination(let entity, let name),
      .joinedSource(let entity, let name):
      StepChanges.Subject(entityName: entity, propertyName: name)
    }
  }
}
