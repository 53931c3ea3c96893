internal import ObjectModel
package import SQLSyntax

extension MigrationStep {
  /// The tables that only their owner may do with what the step does, if they are there before it.
  package var alteredTables: Set<String> {
    Set(operations.map(\.base).filter { $0.traits.contains(.needsOwnership) }.map(\.table.name))
      .union(deferredWork.map(\.table.name))
      .union(copy?.sources.map(\.table.name) ?? [])
  }

  /// A Boolean value that indicates whether the role has to have CREATE on the schema of the tables: to
  /// make a relation or a function in it, or to give one another name.
  package var makesObjects: Bool {
    copy != nil || !deferredWork.isEmpty
      || operations.contains { $0.base.traits.contains(.makesObjects) }
  }

  /// A Boolean value that indicates whether the step makes functions of its own, in PL/pgSQL.
  package var makesFunctions: Bool {
    isCopyJob || operations.contains { $0.base.traits.contains(.makesFunctions) }
  }

  /// The functions of others that triggers call which the step makes again.
  package var calledRoutines: Set<QualifiedName> {
    Set(remadeDependents.compactMap(\.calledRoutine))
  }

  /// The tables whose rows queries of the step read or write, which the server refuses where policies
  /// would hide some of them; what it looks at by itself for a constraint is not among them.
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
