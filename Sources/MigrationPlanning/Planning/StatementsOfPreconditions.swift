internal import ObjectModel
internal import SQLSyntax

/// The statements of a step for the sake of which the rows are checked.
package struct StatementsOfPreconditions {
  /// Statements by their places among all of the step, those that may fail because of rows before others.
  private struct Found {
    var failing: [Int] = []
    var others: [Int] = []

    var best: [Int] { failing.isEmpty ? others : failing }
    var isEmpty: Bool { best.isEmpty }

    mutating func add(_ index: Int, mayFail: Bool) {
      if mayFail, failing.last != index { failing.append(index) }
      if !mayFail, others.last != index { others.append(index) }
    }
  }

  private let source: ModelProjection?
  private var byColumn: [ColumnReference: Found] = [:]
  private var bySubject: [StepChanges.Subject: Found] = [:]
  private var byTable: [SQLIdentifier: Found] = [:]

  /// Sorts the statements of a step.
  package init(of step: MigrationStep) {
    source = step.source?.projection
    for (index, statement) in step.allStatements.enumerated() {
      for place in statement.places {
        let mayFail = place.hazards.contains(.failsOnData)
        if let before = place.before {
          byTable[before.table, default: Found()].add(index, mayFail: mayFail)
          if let column = before.column {
            byColumn[ColumnReference(table: before.table, column: column), default: Found()]
              .add(index, mayFail: mayFail)
          }
        }
        let subjects = [
          place.after.flatMap { step.destination.projection.subject(of: $0) },
          place.before.flatMap { source?.subject(of: $0) },
        ].compactMap(\.self)
        for subject in Set(subjects) {
          bySubject[subject, default: Found()].add(index, mayFail: mayFail)
        }
      }
    }
  }

  /// Returns the statements that rely on a precondition, by their places in
  /// ``MigrationStep/allStatements``; empty if none can be told.
  package func statements(relyingOn precondition: PlannedPrecondition) -> [Int] {
    let ofColumns = precondition.columns.compactMap { byColumn[$0] }
    let failing = ofColumns.flatMap(\.failing)
    if !failing.isEmpty { return Set(failing).sorted() }
    let property = precondition.propertyName.map { String($0.prefix { $0 != "." }) }
    let subject = StepChanges.Subject(
      entityName: precondition.entityName,
      propertyName: property
    )
    if let found = bySubject[subject], !found.failing.isEmpty { return found.failing }
    let others = ofColumns.flatMap(\.others)
    if !others.isEmpty { return Set(others).sorted() }
    if let found = bySubject[subject], !found.isEmpty { return found.best }
    let table =
      source?.model.entity(named: precondition.entityName).flatMap { source?.table(of: $0) }
      ?? SQLIdentifier(precondition.entityName)
    return byTable[table]?.best ?? []
  }
}
