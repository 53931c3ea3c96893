public import Diagnostics
internal import MigrationPlanning
internal import ModelMapping
internal import PostgresClient
internal import SQLSyntax

extension ExecutionError {
  /// The error, for people.
  package var diagnostics: [Diagnostic] {
    guard let sentence = guardingSentence else { return factDiagnostics }
    var diagnostics = factDiagnostics
    guard var last = diagnostics.popLast() else { return [] }
    last.detailSentences = last.detailSentences.map { "\($0)\n\(sentence)" } ?? sentence
    return diagnostics + [last]
  }

  /// What a job that is left behind means for writers; `nil` if it turns none away.
  package var guardingSentence: Sentences? {
    switch refusal {
    case nil: nil
    case .all(let job):
      """
      Copy job \(job) continues to refuse writes until a rerun ends it or \
      \(CommandCall("job cancel", job)) removes it.
      """
    case .missingValues(let job):
      """
      Copy job \(job) continues to refuse writes that leave a required column without a value, until a \
      rerun ends it or \(CommandCall("job cancel", job)) removes it.
      """
    case .perhapsMissingValues(let job):
      """
      Copy job \(job) may refuse writes that leave a required column without a value, until a rerun ends \
      it or \(CommandCall("job cancel", job)) removes it.
      """
    }
  }

  private var factDiagnostics: [Diagnostic] {
    switch fact {
    case .inSource(let fact): ExecutionError(fact).diagnostics
    case .sourceMoved(let version):
      [
        Diagnostic(
          "the source is not at version \"\(version)\" any more",
          detail: "It was migrated while its rows were copied.",
          hint: "Drop what has been made in the destination, and run again."
        )
      ]
    case .preconditionsViolated(let findings):
      findings.map(\.diagnostic)
    case .statementFailed(let error, let reason) where error.lacksOperatorClass:
      [
        server(error, reason).with(
          hint:
            "Run CREATE EXTENSION btree_gist in the database, and migrate again; if it is there, it "
            + "does not know the type."
        )
      ]
    case .statementFailed(let error, let reason):
      [server(error, reason)]
    case .connectionLost(let error):
      [
        server(error, nil).with(
          hint: "A rerun reads what has been committed, and continues from there."
        )
      ]
    case .dataChanged(let error, let reason):
      [
        server(error, reason).with(
          hint: error.hint
            ?? "Some rows do not allow the migration: they came after the questions, or only the "
            + "server can tell. Fix them and run again."
        )
      ]
    case .dependentObject(let error, let reason):
      [
        server(error, reason).with(
          hint: "Drop what depends on it before and create it again afterwards."
        )
      ]
    case .nameTaken(let error, let reason):
      [
        server(error, reason).with(
          hint:
            "Rename or drop the object with this name, if Remodel did not create it, and run again."
        )
      ]
    case .otherObject(let name, let table):
      [
        Diagnostic(
          "\"\(name)\" is there already, and not as table \"\(table)\" is to have it",
          detail: "Remodel did not create it, and leaves it alone.",
          hint: "Rename or drop it, and run again."
        )
      ]
    case .tooFewLocks(let error, let reason):
      [
        server(error, reason).with(
          hint:
            "Raise \"max_locks_per_transaction\" and restart the server, or go to the target over "
            + "smaller versions."
        )
      ]
    case .insufficientPrivilege(let error, let reason, let undertaking):
      [server(error, reason).with(hint: undertaking.hint)]
    case .lockNotAvailable(let seconds, let blockers):
      [
        Diagnostic(
          "could not get all locks within \(seconds.rounded()) s",
          detail: blockers.isEmpty
            ? "Their owner has ended meanwhile, or is not visible to this role."
            : blockers.map(\.description).shownInLines,
          hint: "Run again when they have ended, or allow more time with --lock-retry-for.",
          sqlState: "55P03"
        )
      ]
    case .heldTooLong(let seconds, let reason):
      [
        Diagnostic(
          "the rehearsal was ended: its locks may be held for \(seconds) s and no longer",
          detail: "All of it is undone. The migration itself would hold them for longer.",
          hint: "Rehearse without --live, or allow more time with --max-block.",
          context: reason
        )
      ]
    case .migrationLockNotAvailable(let seconds, let holder):
      [
        Diagnostic(
          "another migrator of this store did not end within \(seconds.rounded()) s",
          detail: holder?.description.shownInLine,
          hint: "Run again when it has ended, or allow more time with --wait-for-turn."
        )
      ]
    case .foreignSchema(let schema, let relations):
      [
        Diagnostic(
          "schema \"\(schema)\" has relations that remodel did not create",
          detail: relations.joined(separator: ", ").shownInLine,
          advice: """
            To take them over, use \(CommandCall("adopt")) with a model of them, or \
            \(CommandCall("adopt", options: ["--write"])) without one; otherwise use --schema with \
            an empty or new schema.
            """
        )
      ]
    case .otherConfiguration(let recorded, let requested):
      [
        Diagnostic(
          "the store holds another configuration of the model",
          detail: "It holds \(name(recorded)), and \(name(requested)) was requested.",
          hint: "Use --configuration with the one that it holds, or --schema with another schema."
        )
      ]
    case .foreignMetadata(let schema, let objects):
      [
        Diagnostic(
          "schema \"\(schema)\" has metadata of another owner",
          detail: objects.map(\.description).shownInLines,
          hint:
            "None of it was read. Log in as the role that owns it, or as a member of it, or, if you "
            + "trust its owner, use --trust-owner with that role. If it is not yours, drop the schema."
        )
      ]
    case .exposedMetadata(let grants):
      [
        Diagnostic(
          "others can do more than read the metadata",
          detail: grants.map(\.description).shownInLines,
          hint:
            "Remodel runs SQL that it reads from the metadata, so it has read nothing. Check that "
            + "its contents are yours, and revoke the rights"
            + (grants.contains { $0.grantor != nil } ? ", as a superuser" : "")
            + (grants.contains { $0.role != nil }
              ? ", or, if you trust the roles, use --trust-owner with each of them.\n" : ".\n")
            + grants.map(\.revocation).shownInLines
        )
      ]
    case .foreignObjects(let schema, let objects):
      [
        Diagnostic(
          "the store in schema \"\(schema)\" has objects of other owners",
          detail: objects.map(\.description).shownInLines,
          hint: "Writing to the tables would run their code with the rights of this session. Log "
            + "in as the role that owns the tables, or as a member of it, or, if you trust the "
            + "owners, use --trust-owner with each of them."
        )
      ]
    case .newerMetadata(let version):
      [
        Diagnostic(
          "the metadata was created by a newer remodel",
          detail: "Its layout is version \(version), this remodel knows version "
            + "\(MetadataSchema.layoutVersion).",
          hint: "Use the newer remodel."
        )
      ]
    case .damagedMetadata(let what):
      [
        Diagnostic(
          "the metadata is damaged: \(what)",
          hint: "Restore the metadata schema from a backup."
        )
      ]
    case .oldServer(let version):
      [
        Diagnostic(
          "the server is PostgreSQL \(version / 10_000)",
          hint: "PostgreSQL 15 and later are served."
        )
      ]
    case .readOnly(let isStandby):
      [
        Diagnostic(
          isStandby ? "the server is a standby" : "the database is read-only",
          hint: isStandby
            ? "Connect to the primary server."
            : "Switch \"default_transaction_read_only\" off for the database or the role.",
          sqlState: "25006"
        )
      ]
    case .unsafePooler:
      PostgresError.unsafePooler.diagnostics
    case .rightsMissing(let rights):
      [rights.diagnostic]
    case .jobUnfinished(let id, let obstacle):
      [obstacle.diagnostic(id)]
    case .jobCancelled(let id):
      [
        Diagnostic(
          "copy job \(id) was cancelled",
          detail: "The database is as it was before the job.",
          hint: "Running again begins a new one."
        )
      ]
    case .noSuchJob(let id):
      [
        id.map { id in
          Diagnostic(
            "there is no copy job \"\(id)\"",
            advice: "\(CommandCall("job list")) shows them."
          )
        } ?? Diagnostic("the store has no copy job")
      ]
    case .jobEnded(let id, let state):
      [Diagnostic("copy job \(id) is \(state.rawValue)")]
    case .sourceChanged(let table):
      [
        Diagnostic(
          "table \"\(table)\" was altered while it was being copied",
          detail: "Its columns, triggers, rules or policies are not what they were when the copy "
            + "began.",
          advice:
            "Undo the change and run again, or use \(CommandCall("job cancel")) and run again."
        )
      ]
    case .sourceNotCopyable(let obstacle, let table):
      [
        Diagnostic(
          "table \"\(table)\" cannot be copied while others may write: \(obstacle.text)",
          hint: "Use --strategy locked."
        )
      ]
    case .rowNotCopied(let error, let mapping, let table, let key):
      [
        server(error, "copying to table \"\(table)\" by entity mapping \"\(mapping)\", key \(key)")
          .with(
            hint:
              "Fix the row and run again; copied rows stay copied."
          )
      ]
    case .throttleQueryFailed(let error):
      [
        server(error, "asking the query of --throttle-query whether to wait").with(
          hint: "Fix the query, or leave it out, and run again; copied rows stay copied."
        )
      ]
    case .policyFailed(let fault, let mapping, let policy, let key):
      [fault.diagnostic(mapping, policy, key)]
    case .copyDiffers(let table, let units):
      [
        Diagnostic(
          "the rows copied to table \"\(table)\" differ from the expected ones",
          detail: "Keys: \(units.joined(separator: ", ")).",
          advice: "Nothing was changed for readers and writers. Use \(CommandCall("job cancel"))."
        )
      ]
    case .valueMissing(let table, let column, let keys):
      [
        Diagnostic(
          "rows of table \"\(table)\" have no value for column \"\(column)\", which has to have one",
          detail: "Keys: \(keys.joined(separator: ", ")).",
          hint:
            "Nothing was changed for readers and writers. Fix the rows and run again; filled rows "
            + "stay filled."
        )
      ]
    case .rowsDangle(let constraint, let table, let referenced, let keys):
      [
        Diagnostic(
          "rows of table \"\(table)\" refer to rows that table \"\(referenced)\" will not have",
          detail: "Constraint \"\(constraint)\" does not allow it. Keys: "
            + "\(keys.joined(separator: ", ")).",
          advice: """
            Nothing was changed for readers and writers. Fix the rows and run again, or use \
            \(CommandCall("job cancel")) and create the rows in the mapping model.
            """
        )
      ]
    case .interrupted(let signal):
      [
        Diagnostic(
          signal == 15 ? "terminated" : "interrupted",
          detail: "The transaction that was running has been rolled back.",
          hint: "Running again continues."
        )
      ]
    }
  }

  private func name(_ configuration: String?) -> String {
    configuration.map { "configuration \"\($0)\"" } ?? "the whole model"
  }

  private func server(_ error: PostgresError, _ reason: String?) -> Diagnostic {
    var diagnostic = error.diagnostics.first ?? Diagnostic("the server reported an error")
    var context = reason.map { [$0] } ?? []
    if let statement = error.statement { context.append(statement) }
    if !context.isEmpty { diagnostic.context = context.joined(separator: "\n") }
    return diagnostic
  }
}

extension Diagnostic {
  fileprivate func with(hint: String) -> Diagnostic {
    var copy = self
    copy.hint = hint
    return copy
  }
}

extension PreconditionFinding {
  /// The result of the precondition, for people.
  public var diagnostic: Diagnostic {
    let keys = sampleKeys.map { " Keys: \($0)\((count ?? 0) > 5 ? ", …" : "")." } ?? ""
    return Diagnostic(
      "the rows do not allow it: \(precondition.requirement)",
      detail: "\(count ?? 0) row\(count == 1 ? "" : "s") in the way."
        + keys + " (Core Data error \(precondition.coreDataError))",
      hint: precondition.remedy
    )
  }
}

extension ExecutionError.JobObstacle {
  fileprivate func diagnostic(_ id: String) -> Diagnostic {
    let cancel = CommandCall("job cancel", id)
    let migrate = CommandCall("migrate")
    switch self {
    case .otherPlan(let source, let target):
      let way = source.map { "from version \"\($0)\" to version " } ?? "to version "
      return Diagnostic(
        "copy job \(id) is unfinished and carries out another plan",
        detail: "It leads \(way)\"\(target)\".",
        advice: "Run again with the models and options that it was begun with, or use \(cancel)."
      )
    case .comesFirst:
      return Diagnostic(
        "copy job \(id) is unfinished",
        advice: "Run \(migrate), which ends it, or use \(cancel), and run again."
      )
    case .paused:
      return Diagnostic(
        "copy job \(id) is paused",
        advice: "Use \(CommandCall("job resume", id)) and run again, or \(cancel)."
      )
    case .taken(let seconds, let holder):
      return Diagnostic(
        "another process works on copy job \(id) and did not end within \(seconds.rounded()) s",
        detail: holder?.description.shownInLine,
        hint: "Run again when it has ended, or allow more time with --wait-for-turn."
      )
    case .takenOver:
      return Diagnostic(
        "another process has taken copy job \(id) over",
        advice: "Let that process continue; \(CommandCall("job show", id)) shows the progress."
      )
    case .settling:
      return Diagnostic(
        "copy job \(id) cannot be cancelled: its tables are already in use",
        detail: "The version is recorded, and only foreign keys are still to be validated.",
        advice: "Run \(migrate), which ends the job."
      )
    }
  }
}

extension CaptureObstacle {
  fileprivate var text: String {
    switch self {
    case .isPartitioned: "it has partitions or is one"
    case .isInherited: "it takes part in inheritance"
    case .isNotATable: "it is not a table of this server"
    case .hidesRows: "its policies hide rows from this role"
    case .isNotLogged: "a crash of the server empties it"
    }
  }
}

extension Blocker: CustomStringConvertible {
  /// The blocker in a line.
  public var description: String {
    var parts = [
      preparedTransaction.map { "prepared transaction \"\($0)\"" }
        ?? "process \(pid)\(node.map { " on node \($0)" } ?? "")"
    ]
    if let application, !application.isEmpty { parts.append("application \"\(application)\"") }
    if let table { parts.append("holds a lock on \"\(table)\"") }
    if let since { parts.append("since \(since)") }
    if let query, !query.isEmpty { parts.append("query: \(query)") }
    return parts.joined(separator: ", ")
  }
}

extension PostgresError {
  /// A Boolean value that indicates whether an exclusion constraint needs an extension that is not there.
  fileprivate var lacksOperatorClass: Bool {
    sqlState == .undefinedObject && message.contains("default operator class")
      && message.contains("gist")
  }
}

extension ExecutionError.PolicyFault {
  /// The fault, for people.
  func diagnostic(_ mapping: String, _ policy: String, _ key: String?) -> Diagnostic {
    let row = key.map { " at the row with key \($0)" } ?? ""
    let message = "policy \"\(policy)\" of entity mapping \"\(mapping)\" failed\(row)"
    switch self {
    case .threw(let words):
      return Diagnostic(message, detail: words, hint: "Fix the row or the policy, and run again.")
    case .lacksValue(let name):
      return Diagnostic(
        message,
        detail: "It has given attribute \"\(name)\" no value, which is required.",
        hint: "Set it, make no row, or make the attribute optional."
      )
    case .madeOtherCount(let count, let allowed):
      return Diagnostic(
        message,
        detail: "It has created \(count) rows from it, but declares \(allowed.phrase).",
        hint: "Declare the number of rows with \"count\" of its instance creation."
      )
    case .madeOfOtherRow:
      return Diagnostic(
        message,
        detail: "It has created a row from one that is not in its batch.",
        hint: "Create rows only from those of the same call."
      )
    case .refused(let error):
      var diagnostic = Diagnostic(
        message,
        detail: "The server refuses its row: \(error.message).",
        hint: "Fix the row or the policy, and run again."
      )
      diagnostic.sqlState = error.sqlState?.rawValue
      return diagnostic
    case .notRegistered:
      return Diagnostic(
        "no policy \"\(policy)\" is registered for entity mapping \"\(mapping)\"",
        hint: "Use the executable that it was planned with."
      )
    }
  }
}

extension InstanceCreation.Count {
  fileprivate var phrase: String {
    switch self {
    case .one: "one"
    case .atMostOne: "one at most"
    case .any: "any number"
    }
  }
}
