extension MigrationStep {
  /// A Boolean value that indicates whether the step does anything that an object which depends on
  /// the tables can keep the server from.
  package var mayBreakDependents: Bool {
    operations.mayBreakDependents(replacing: replacements)
  }

  /// A Boolean value that indicates whether the step fills new tables, which no other session uses.
  package var fillsTables: Bool {
    copy.map { !($0.tables.isEmpty && $0.maps.isEmpty) } ?? (transferPoint != nil)
  }

  /// The dependent objects that the step creates again.
  package var remadeDependents: [DependentObject] {
    operations.compactMap(\.base.remadeDependent)
  }

  /// A Boolean value that indicates whether a column that foreign keys may refer to changes its
  /// type, for which the server creates these keys again.
  package var changesKeys: Bool {
    operations.contains { operation in
      guard case .typeChanged(let column) = operation.base.dependentBreakage else { return false }
      let tables = [source, destination].compactMap { version in
        version?.projection.schema.tables[operation.base.table]
      }
      return tables.isEmpty || tables.contains { $0.keys.contains { $0.columns.contains(column) } }
    }
  }

  /// Returns the dependent objects after this step, given those before it.
  package func dependentsAfterwards(_ before: [DependentObject]) -> [DependentObject] {
    let dropped = Set(
      operations.map(\.base).filter { $0.dependentBreakage == .tableDropped }.map(\.table)
    )
    return before.following(operations, replacing: replacements).filter { object in
      object.attachedTable.map { !dropped.contains($0) } ?? true
    }
  }

  /// Returns whether the step contains exactly the necessary changes of dependent objects, given
  /// the objects before it.
  package func accounts(for dependents: [DependentObject]) -> Bool {
    let planned = operations.filter(\.base.isOfDependent)
    let changes = try? DependentChanges(
      dependents,
      in: operations.filter { !$0.base.isOfDependent },
      replacing: replacements,
      copying: copy.map { ($0.tables, strategy) }
    )
    guard let needed = changes?.operations else { return false }
    return Set(planned) == Set(needed)
  }
}

extension [MigrationOperation] {
  /// Returns whether any of them may conflict with an object that depends on the tables.
  func mayBreakDependents(replacing replacements: TableReplacements?) -> Bool {
    replacements.map { !$0.tables.isEmpty } ?? false
      || contains { $0.base.dependentBreakage != .none }
  }
}
