internal import ObjectModel
package import SQLSyntax

extension MigrationStep {
  /// The existing tables that only their owner may change as the step does.
  package var alteredTables: Set<String> {
    Set(operations.map(\.base).filter { $0.traits.contains(.needsOwnership) }.map(\.table.name))
      .union(deferredWork.map(\.table.name))
      .union(copy?.sources.map(\.table.name) ?? [])
  }

  /// A Boolean value that indicates whether the role needs CREATE on the schema of the tables, to
  /// create or rename a relation or a function in it.
  package var makesObjects: Bool {
    copy != nil || !deferredWork.isEmpty
      || operations.contains { $0.base.traits.contains(.makesObjects) }
  }

  /// A Boolean value that indicates whether the step creates functions of its own, in PL/pgSQL.
  package var makesFunctions: Bool {
    isCopyJob || operations.contains { $0.base.traits.contains(.makesFunctions) }
  }

  /// The functions of others that recreated triggers call.
  package var calledRoutines: Set<QualifiedName> {
    Set(remadeDependents.compactMap(\.calledRoutine))
  }

  /// The tables whose rows queries of the step read or write, which the server refuses if policies
  /// hide some of them; this does not include the server's own checks of constraints.
  package var queriedTables: Set<String> {
    let asked = preconditions.filter { isCopyJob || !$0.isEnforced }.map(\.entityName)
    let entities = source?.projection.model.entities ?? []
    let names = entities.filter { asked.contains($0.name) }
      .compactMap { source?.projection.table(of: $0)?.name }
    return Set(names + asked)
      .union(
        operations.map(\.base).filter { $0.rowChange != .none }.flatMap(\.impact.locks.keys).map(
          \.name
        )
      )
      .union(copy?.sources.map(\.table.name) ?? [])
  }
}
