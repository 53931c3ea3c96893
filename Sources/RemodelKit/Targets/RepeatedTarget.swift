internal import SQLSyntax

/// A target that means stores which another one means, too.
struct RepeatedTarget {
  let target: MigrationTarget
  /// The one that has them already.
  let owner: MigrationTarget
  var schemas: [SQLIdentifier] = []

  /// Returns the repetitions, in the order of the targets.
  ///
  /// - Parameters:
  ///   - results: The results of the stores.
  ///   - targets: The targets.
  /// - Returns: The repetitions.
  static func all<Report>(
    among results: [(key: TargetNumber, value: TargetResult<Report>)],
    of targets: MigrationTargets
  ) -> [RepeatedTarget] {
    var repetitions: [RepeatedTarget] = []
    var places: [[Int]: Int] = [:]
    for (store, result) in results {
      guard let repetition = result.error as? RepeatedStore else { continue }
      let (number, owner) = (store.target, repetition.owner.target)
      if places[[number, owner]] == nil {
        places[[number, owner]] = repetitions.count
        repetitions.append(
          RepeatedTarget(target: targets.databases[number], owner: targets.databases[owner])
        )
      }
      if let place = places[[number, owner]], let schema = result.target.schema {
        repetitions[place].schemas.append(schema)
      }
    }
    return repetitions
  }
}
