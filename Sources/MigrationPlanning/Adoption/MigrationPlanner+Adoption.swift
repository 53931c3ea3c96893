internal import SQLSyntax

extension MigrationPlanner {
  /// Plans to record a version as the one that a database is at, of which all is there already.
  ///
  /// While that is looked at, locks keep others from changing what the tables are; rows are read and
  /// written meanwhile.
  ///
  /// - Parameter version: The version.
  /// - Returns: The step.
  public func step(adopting version: PlannedVersion) -> MigrationStep {
    let schema = version.projection.schema
    return MigrationStep(
      source: nil,
      destination: version,
      passedVersions: [],
      mappingModel: nil,
      preconditions: [],
      lockedTables: schema.sortedTables.map {
        MigrationStep.LockedTable(name: schema.qualified($0.name), mode: .shareUpdateExclusive)
      },
      statements: [],
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: [],
      operations: []
    )
  }
}
