public import Diagnostics

/// Why a plan cannot be rehearsed.
public struct RehearsalError: DiagnosticError, Hashable {
  /// The obstacle.
  public let fact: Fact

  /// The obstacles to a rehearsal.
  public enum Fact: Hashable, Sendable {
    /// The programs of the server's version are not on this machine.
    case noServer(major: Int, found: [String])
    /// A program that reads or writes schemas is missing, or is of another version.
    case noProgram(String, folder: String, major: Int)
    /// The schema could not be read.
    case notDumped(log: String)
    /// The schema could not be written.
    case notRestored(log: String)
    /// The store has a copy job that is not ended.
    case unfinishedJob(id: String)
    /// The last migration has something left to do.
    case unfinishedWork
    /// The step is none that one transaction does.
    case notInOneTransaction(step: String)
    /// Rows of the step pass through code, during which the server cannot hold to a limit.
    case policyInCode(step: String)
    /// The database is empty, or lacks the metadata.
    case nothingToHold
    /// The plan has changed.
    case superseded(step: String)
  }

  init(_ fact: Fact) {
    self.fact = fact
  }

  /// The obstacle, for people.
  public var diagnostics: [Diagnostic] {
    switch fact {
    case .noServer(let major, let found):
      [
        Diagnostic(
          "cannot rehearse without the programs of PostgreSQL \(major)",
          detail: found.isEmpty
            ? "No server is installed on this machine."
            : "There are: \(found.joined(separator: ", ")).",
          hint: "Install postgresql-\(major), or set REMODEL_POSTGRES_BIN to the folder of its "
            + "programs."
        )
      ]
    case .noProgram(let name, let folder, let major):
      [
        Diagnostic(
          "cannot rehearse without \"\(name)\" of PostgreSQL \(major)",
          detail: "It is not in \"\(folder)\", beside the server, or is of another version.",
          hint: "Install postgresql-client-\(major)."
        )
      ]
    case .notDumped(let log):
      [
        Diagnostic(
          "could not read the schema of the database with \"pg_dump\"",
          detail: log.isEmpty ? nil : log,
          hint: "The role must be able to read all tables; or rehearse with --live."
        )
      ]
    case .notRestored(let log):
      [
        Diagnostic(
          "could not write the schema of the database to the throwaway server with \"pg_restore\"",
          detail: log.isEmpty ? nil : log
        )
      ]
    case .unfinishedJob(let id):
      [
        Diagnostic(
          "cannot rehearse while copy job \(id) is not ended",
          hint: "Run migrate, which continues it, or cancel it."
        )
      ]
    case .unfinishedWork:
      [
        Diagnostic(
          "cannot rehearse while the last migration has something left to do",
          hint: "Run finish first."
        )
      ]
    case .notInOneTransaction(let step):
      [
        Diagnostic(
          "cannot rehearse the step to version \"\(step)\" in the database itself",
          detail: "It is not done in one transaction that could be undone.",
          hint: "Rehearse on a throwaway server, without --live."
        )
      ]
    case .policyInCode(let step):
      [
        Diagnostic(
          "cannot rehearse the step to version \"\(step)\" in the database itself",
          detail:
            "Its rows pass through a policy in code, so the time under locks cannot be "
            + "limited.",
          hint: "Rehearse on a throwaway server, without --live."
        )
      ]
    case .nothingToHold:
      [
        Diagnostic(
          "cannot rehearse the creation of a store in the database itself",
          detail: "There are no tables yet that it could lock.",
          hint: "Rehearse on a throwaway server, without --live."
        )
      ]
    case .superseded(let step):
      [
        Diagnostic(
          "could not rehearse the step to version \"\(step)\": the database is no longer what it "
            + "was planned for",
          hint: "Run again."
        )
      ]
    }
  }
}
