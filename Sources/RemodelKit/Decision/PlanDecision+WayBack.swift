public import MigrationPlanning

extension PlanDecision {
  /// What is retained, and what `revert` would and would not bring back after the plan.
  public struct WayBack: Hashable, Sendable {
    /// Whether `revert` can take the plan back.
    public enum Revert: Hashable, Sendable {
      /// There is nothing to take back.
      case nothing
      /// The plan creates the store, here or in another schema or database: there is no version before.
      case noVersionBefore
      /// It brings the version before back with all that it had.
      case restoresAll
      /// It brings the version before back without some of what it had: see ``PlanDecision/WayBack/missing``.
      case restoresSome
      /// The plan carries out a mapping model: as long as nobody has written to the new tables, `revert` puts
      /// the replaced ones back; afterwards it takes a mapping model back.
      case untilWritten
      /// A mapping model leads back, and decides what is brought back.
      case byMappingModel
      /// No mapping leads back: `revert` is refused until a mapping model does.
      case needsMapping
      /// The plan itself is a revert, which a migration takes back.
      case migration
    }

    /// How long something is retained.
    public enum Term: String, Hashable, Sendable {
      /// Until somebody calls `cleanup`.
      case cleanup
    }

    /// Whether `revert` can take the plan back.
    public let revert: Revert
    /// The version that it goes back to; `nil` if there is none.
    public let version: String?
    /// How many calls of `revert` that takes: one for each step, unless it gets the version.
    public let stepCount: Int
    /// What the plan retains, with the step that does, from zero; `revert` puts it back.
    public let retained: [Retained]
    /// For how long that is.
    public let term: Term
    /// What `revert` would not bring back.
    public let missing: [Loss]
  }

  /// Something that a step retains.
  public struct Retained: Hashable, Sendable {
    /// The step, from zero.
    public let step: Int
    /// What is retained.
    public let object: RetainedObject
  }

  /// The calls of the command line that come next, each quoted for a shell, without passwords.
  public struct NextCommands: Hashable, Sendable {
    /// The call that runs this plan and no other, but for a revert, of which it makes the plan again; `nil` if
    /// there is nothing to run, or it cannot run now.
    public let run: String?
    /// The same call with the name of who has approved the plan, for the history.
    public let approve: String?
    /// The call that makes the plan again, once what is in the way is gone; `nil` if nothing is.
    public let planAgain: String?
    /// The call that takes it back afterwards; `nil` if it cannot be taken back.
    public let revert: String?
  }
}
