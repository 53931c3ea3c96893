internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning

/// Holds plans to the locks that the server has room for.
struct LockBudget {
  let capacity: LockCapacity
  /// How many stores of the server are worked on at the same time.
  let sharers: Int

  /// The locks that each of them may count on.
  private var room: Int { capacity.total / max(1, sharers) }

  /// Returns the steps such that each of their transactions finds room.
  ///
  /// A creation that is too large for one transaction is done in several, each with half of the room
  /// at most, since others need locks too. What cannot be divided may take the room of other stores,
  /// which seldom need theirs at the same moment.
  ///
  /// - Parameter steps: The steps.
  /// - Returns: The steps, creations in as many transactions as they need.
  /// - Throws: The step that finds no room.
  func fitted(_ steps: [MigrationStep]) throws(RemodelError) -> [MigrationStep] {
    var fitted: [MigrationStep] = []
    for step in steps {
      let count = step.lockCount
      if count <= room || step.isInParts {
        fitted.append(step)
      } else if step.source == nil {
        fitted.append(step.divided(from: 0, limit: room / 2))
      } else if count <= capacity.total {
        fitted.append(step)
      } else {
        throw RemodelError(
          .tooManyLocks(
            step: step.destination.name,
            needed: count,
            setting: capacity.perTransaction,
            neededSetting: capacity.setting(for: count),
            room: capacity.total
          )
        )
      }
    }
    return fitted
  }

  /// Returns the rest of a creation.
  func continued(_ step: MigrationStep, after done: Int) -> MigrationStep {
    step.divided(from: done, limit: room / 2)
  }

  /// Returns a warning for each step that leaves little room for others.
  func warnings(for steps: [MigrationStep]) -> [Diagnostic] {
    steps.compactMap { step -> Diagnostic? in
      let count = step.lockCount
      guard !step.isInParts, count * 2 > room, count <= capacity.total
      else { return nil }
      let setting = capacity.setting(for: count * 2 * max(1, sharers))
      return Diagnostic(
        .warning,
        "the step to version \"\(step.destination.name)\" takes up to \(count) locks, more than half "
          + "of the \(room) that "
          + (sharers > 1
            ? "each of \(sharers) stores at a time can count on" : "the server has room for"),
        hint: "Set \"max_locks_per_transaction\" to \(setting) or more if others run out of locks "
          + (sharers > 1 ? "meanwhile, or migrate fewer stores at a time." : "meanwhile.")
      )
    }
  }
}
