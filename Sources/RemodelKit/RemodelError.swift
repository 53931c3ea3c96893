public import Diagnostics
public import SQLSyntax

/// The reason why a request is impossible with these models and this database.
public struct RemodelError: DiagnosticError, Hashable {
  /// The obstacle.
  public let fact: Fact

  /// The obstacles.
  public enum Fact: Hashable, Sendable {
    /// No version is called so, and no hash begins so.
    case noSuchVersion(String, known: [String])
    /// Several hashes begin so.
    case ambiguousVersion(String, [String])
    /// The model has no such configuration.
    case noSuchConfiguration(String, known: [String])
    /// There is no mapping for a step.
    case noMapping(
      source: String,
      target: String,
      obstacles: [Diagnostic],
      directWorks: Bool
    )
    /// The database is at a later version than the target.
    case newerVersion(recorded: String, target: String)
    /// The database was at the target and has left it.
    case wentBack(recorded: String, target: String)
    /// The database is at a version that no model at hand is.
    case unknownVersion(String)
    /// The history knows of no migration that could be taken back.
    case noWayBack(from: String?)
    /// The database has not come from a version.
    case noWayBackTo(String, known: [String])
    /// Going back would lose data.
    case returnLoses([ReturnLoss], version: String)
    /// A version that a database has been at is another one now.
    case editedVersion(String, changes: [String])
    /// Rows cannot be copied while the service writes, and writers would have to wait for so many
    /// seconds, or should not wait at all.
    case notOnline(step: String, obstacle: String, seconds: Double?)
    /// The transaction of a step would keep others from a table that is not small.
    case notPhased(step: String, obstacle: String)
    /// A mapping model was written for another content of a version.
    case editedMappedVersion(
      String,
      mapping: SourceLocation,
      expected: String,
      actual: String
    )
    /// No mapping model is between these versions.
    case noMappingModel(String, String)
    /// No mapping is about an entity of the name, or there are no rows; with the entities that there are.
    case nothingToPreview(entity: String, known: [String])
    /// Neither version has entities of these names.
    case noSuchEntities([String], known: [String])
    /// A step has no mapping model where none may be inferred.
    case stepWithoutMappingModel(String, String)
    /// The path is none of a mapping model.
    case notAMappingModel(String)
    /// The versions of a mapping model are unknown.
    case unmatchedMapping(SourceLocation)
    /// The plan has hazards that are denied.
    case hazardDenied([DeniedStatement])
    /// Other relations have the names of tables to create.
    case takenTables([TakenTable])
    /// A constraint needs an extension that the database does not have.
    case missingExtension(String, constraint: String, table: String)
    /// SQL of the models and mapping models names what the database does not have.
    case missingNames([MissingName])
    /// Steps keep writers waiting for longer than they may.
    case blocksTooLong([BlockingStatement], limit: Duration)
    /// The plan differs from the approved one.
    case planDiffers([PlanDifference], isDigestOnly: Bool)
    /// A step takes more locks than the server has room for.
    case tooManyLocks(step: String, needed: Int, setting: Int, neededSetting: Int, room: Int)
    /// Authored SQL creates rows, which is only possible in one transaction.
    case notInParts(step: String, mapping: String)
    /// A policy shares what it knows through the migration manager, so a copy takes one transaction.
    case managerInParts(step: String, mapping: String)
    /// Rows pass through a policy in code, which no script can run.
    case noScript(step: String, mapping: String, policy: String)
    /// `psql` would read a statement in another way than the server.
    case notScriptable(statement: String, ReadableSQL.Fault)
    /// There is nothing in a schema that could be copied.
    case nothingToCopy(schema: String)
    /// A schema has a version already, or is the one that is copied.
    case occupiedSchema(String)
    /// There is no version in a schema whose rows could be copied to another database.
    case nothingToTransfer(schema: String)
    /// The database that rows are to be copied to has a version already.
    case occupiedDestination(schema: String, version: String)
    /// The database that rows are copied to is being filled from another store or version.
    case otherTransfer(version: String, record: String)
    /// The store is being filled from another database.
    case unfinishedTransfer(version: String, record: String)
    /// No script can copy rows from one database to another.
    case noTransferScript
    /// A creation was begun by a tool that does it in another way.
    case otherCreation(version: String)
    /// The store is being created, and cannot be anything else until that is done.
    case unfinishedCreation(version: String)
    /// There is no version in a schema whose model could be written.
    case nothingToExport(schema: String)
    /// The model is ambiguous.
    case severalModels([String])
    /// A file that was written does not have the model that it is to have.
    case unlikeExport(version: String, path: String)
    /// The name of a schema is empty or too long.
    case unusableSchemaName(String)
    /// Tables and metadata would be in one schema.
    case sharedSchema(String)
    /// There is no table in a schema that could be taken over.
    case nothingToAdopt(schema: String)
    /// No entity can stand for any of the tables of a schema.
    case nothingToModel(schema: String, [String])
    /// The database is at a version already.
    case storeExists(version: String)
    /// The model to write exists already with other contents.
    case bundleExists(path: String)
    /// A model can be written as a bundle only.
    case notABundle(path: String)
    /// A model that is written is whole.
    case wholeModelOnly(configuration: String)
    /// The tables change faster than they can be compared.
    case unsettledSchema(String)
    /// Two versions were made from one base, and neither has the changes of the other.
    case fork(VersionBranches)
    /// Two versions cannot both have what they say; each fault has its place.
    case mergeConflicts(first: String, second: String, [Diagnostic])
    /// A version has the changes of the other one.
    case nothingToMerge(first: String, second: String)
    /// The version that two versions were made from is in no file.
    case noMergeBase(first: String, second: String)
    /// There is no bundle that a version could be added to.
    case noBundle(path: String)
    /// A version is there already.
    case versionExists(String)
    /// Views cannot be written to where Citus spreads tables.
    case interfacesOfCitus
    /// A schema has the name of the one by which a version is to be served.
    case takenInterfaceSchema(String)
    /// The database does not serve a version.
    case versionNotServed(String, known: [String])
    /// Sessions use a version that is to be retired.
    case versionInUse(String, sessions: [String])
    /// The version to retire is the one that the database is at.
    case currentVersion(String)
    /// Drafts are for databases that are marked for development.
    case notForDevelopment
    /// A version was migrated to as a finished one, and has been edited since.
    case finishedVersion(String)
    /// A draft stays in its database and schema.
    case draftElsewhere
  }

  init(_ fact: Fact) {
    self.fact = fact
  }

  /// The obstacle, for people.
  public var diagnostics: [Diagnostic] {
    if case .noMapping(_, _, let obstacles, _) = fact { return [summary] + obstacles }
    if case .takenTables(let tables) = fact { return tables.map(\.diagnostic) }
    if case .missingNames(let names) = fact { return names.map(\.diagnostic) }
    if case .mergeConflicts(_, _, let conflicts) = fact { return [summary] + conflicts }
    return [summary]
  }

  private var summary: Diagnostic {
    switch fact {
    case .noSuchVersion(let name, let known):
      Diagnostic(
        "there is no version \"\(name)\"",
        detail: "There are: \(known.joined(separator: ", ")).",
        hint: suggestion(for: name, among: known).map { "Did you mean \"\($0)\"?" }
      )
    case .ambiguousVersion(let prefix, let names):
      Diagnostic(
        "the checksums of several versions begin with \"\(prefix)\"",
        detail: "They are: \(names.joined(separator: ", ")).",
        hint: "Use more digits, or the name."
      )
    case .noSuchConfiguration(let name, let known):
      Diagnostic(
        "the model has no configuration \"\(name)\"",
        detail: known.isEmpty
          ? "It has none." : "It has: \(known.joined(separator: ", "))."
      )
    case .noMapping(let source, let target, _, let directWorks):
      Diagnostic(
        "cannot infer a mapping from version \"\(source)\" to version \"\(target)\"",
        hint: directWorks ? "The direct way to the target can be inferred: use --direct." : nil
      )
    case .newerVersion(let recorded, let target):
      Diagnostic(
        "the database is at version \"\(recorded)\", which is later than \"\(target)\"",
        detail: "This is an old release started late, or a deploy that was rolled back.",
        hint: "To migrate to an earlier version, name it with --to."
      )
    case .wentBack(let recorded, let target):
      Diagnostic(
        "the database was at version \"\(target)\" and was reverted to \"\(recorded)\"",
        hint: "To migrate there again, name the version with --to."
      )
    case .noWayBack(let name):
      Diagnostic(
        "there is no migration to revert",
        detail: name.map { "The database has been at no version before \"\($0)\"." }
          ?? "The schema has no version of the model."
      )
    case .noWayBackTo(let name, let known):
      Diagnostic(
        "the database has not come from version \"\(name)\"",
        detail: known.isEmpty ? nil : "It has come from: \(known.joined(separator: ", ")).",
        hint: "To migrate to any other version, use migrate --to."
      )
    case .returnLoses(let losses, let version):
      Diagnostic(
        "reverting to version \"\(version)\" would lose data",
        detail: losses.map(\.summary).shownInLines,
        hint: losses.allSatisfy(\.isReplacement)
          ? "To revert in place, with all rows and values as they are now, use --allow deletes-data, or "
            + "write a reverting mapping model that changes them."
          : "To revert all the same, use --allow deletes-data: rows written since stay in retained "
            + "tables. To keep them, write a reverting mapping model."
      )
    case .interfacesOfCitus:
      Diagnostic(
        "two releases at once cannot be served where the database has Citus",
        detail: "Citus does not let anybody write to its tables by way of a view.",
        hint: "Migrate without --keep previous."
      )
    case .takenInterfaceSchema(let name):
      Diagnostic(
        "schema \"\(name)\" is there already, so no version can be served by it",
        hint:
          "Drop or rename it, or use --interface-prefix to give the schemas of this store other names."
      )
    case .versionNotServed(let name, let known):
      Diagnostic(
        "the database does not serve version \"\(name)\"",
        detail: known.isEmpty
          ? "It serves none: releases use the tables themselves."
          : "It serves: \(known.joined(separator: ", ")).",
        hint: known.isEmpty ? "To serve versions, migrate with --keep previous." : nil
      )
    case .currentVersion(let name):
      Diagnostic(
        "version \"\(name)\" is the one that the database is at",
        hint: "Only versions before it can be retired."
      )
    case .versionInUse(let name, let sessions):
      Diagnostic(
        "version \"\(name)\" is in use, so it cannot be retired",
        detail: sessions.shownInLines,
        hint: "Stop the release, or run remodel retire \(name) --force."
      )
    case .unknownVersion(let name):
      Diagnostic(
        "the database is at version \"\(name)\", and none of the models has this version",
        hint: "Use the models of the release that migrated the database last."
      )
    case .editedVersion(let name, let changes):
      Diagnostic(
        "version \"\(name)\" was applied and has been edited since",
        detail: changes.isEmpty ? nil : changes.joined(separator: "\n"),
        hint: "Restore the version, and put the change into a new one. While a version is being "
          + "written, migrate --draft applies its edits to a database for development."
      )
    case .notOnline(let step, let obstacle, let seconds):
      Diagnostic(
        "the step to version \"\(step)\" cannot copy rows while others write",
        detail: "\(obstacle.prefix(1).uppercased())\(obstacle.dropFirst())."
          + (seconds.map { " Writers would wait for about \(Int($0.rounded(.up))) s." } ?? ""),
        hint: "Use --strategy locked to block writers, or --strategy gated to refuse their writes "
          + "during a copy that can be continued."
      )
    case .notPhased(let step, let obstacle):
      Diagnostic(
        "the step to version \"\(step)\" cannot be done while others read and write",
        detail: "\(obstacle.prefix(1).uppercased())\(obstacle.dropFirst()).",
        hint:
          "Use --strategy locked to block others, or divide the changes into several versions "
          + "so that each of them does less."
      )
    case .notInParts(let step, let mapping):
      Diagnostic(
        "the step to version \"\(step)\" cannot copy rows in several transactions",
        detail: "SQL creates the rows of entity mapping \"\(mapping)\".",
        hint: "Use --strategy locked."
      )
    case .managerInParts(let step, let mapping):
      Diagnostic(
        "the step to version \"\(step)\" cannot copy rows in several transactions",
        detail:
          "The policy of entity mapping \"\(mapping)\" uses the migration manager, which all rows "
          + "share.",
        hint: "Use --strategy locked."
      )
    case .noScript(let step, let mapping, let policy):
      Diagnostic(
        "the step to version \"\(step)\" cannot be written as a script",
        detail:
          "Rows of entity mapping \"\(mapping)\" pass through policy \"\(policy)\", which is code.",
        hint:
          "Use \"migrate\" of the executable that the policy is registered with, or let the policy "
          + "give SQL."
      )
    case .notScriptable(let statement, let fault):
      Diagnostic(
        "the plan cannot be written as a script",
        detail: fault.sentence,
        hint: "Change the SQL, or use \"migrate\".",
        context: ReadableSQL(statement).text
      )
    case .editedMappedVersion(let name, let location, let expected, let actual):
      Diagnostic(
        "version \"\(name)\" is not the one that the mapping model was written for",
        detail: "The checksum in the file is \(expected); that of the version is \(actual).",
        hint: "Look through the mapping model, then write the version's checksum into it.",
        location: location
      )
    case .nothingToPreview(let entity, known: []):
      Diagnostic(
        "there are no rows of entity \"\(entity)\" to preview",
        detail: "The database is at no version."
      )
    case .nothingToPreview(let entity, let known):
      Diagnostic(
        "no entity mapping is about entity \"\(entity)\"",
        hint: suggestion(for: entity, among: known).map { "Did you mean \"\($0)\"?" }
      )
    case .noSuchEntities(let names, let known):
      Diagnostic(
        "neither version has an entity \(names.map { "\"\($0)\"" }.joined(separator: ", "))",
        hint: names.first.flatMap { suggestion(for: $0, among: known) }
          .map { "Did you mean \"\($0)\"?" }
      )
    case .stepWithoutMappingModel(let source, let target):
      Diagnostic(
        "step from version \"\(source)\" to version \"\(target)\" has no mapping model, and "
          + "--mappings-only lets none be inferred",
        advice: "Write one with \(Self.newMapping(source, target))."
      )
    case .noMappingModel(let source, let target):
      Diagnostic(
        "there is no mapping model from version \"\(source)\" to version \"\(target)\"",
        hint: "Mapping models are beside the model, or where --mappings says."
      )
    case .notAMappingModel(let path):
      Diagnostic(
        "\"\(path)\" is not a mapping model",
        hint: "Name a file NAME.mapping.yaml or an .xcmappingmodel."
      )
    case .unmatchedMapping(let location):
      Diagnostic(
        "mapping model does not name its versions",
        hint: "Name the model that has them with --models.",
        location: location
      )
    case .hazardDenied(let statements): .denied(statements)
    case .takenTables(let tables): tables.first?.diagnostic ?? Diagnostic("names are taken")
    case .missingExtension(let name, let constraint, let table):
      Diagnostic(
        "extension \"\(name)\" does not exist in the database",
        detail:
          "Constraint \"\(constraint)\" of table \"\(table)\" compares ranges together with other "
          + "values, which needs it.",
        hint: "Run CREATE EXTENSION \(name) in the database, and migrate again."
      )
    case .missingNames(let names): names.first?.diagnostic ?? Diagnostic("names are missing")
    case .blocksTooLong(let statements, let limit): .blocking(statements, limit: limit)
    case .planDiffers(let differences, let isDigestOnly):
      Diagnostic(
        "the plan is not the approved one",
        detail: differences.map(\.summary).shownInLines,
        hint: isDigestOnly
          ? "Review the current plan, and pass its digest."
          : "Create the plan again, review it, and pass the new one."
      )
    case .tooManyLocks(let step, let needed, let setting, let neededSetting, let room):
      Diagnostic(
        "the step to version \"\(step)\" takes up to \(needed) locks, and the server has room for "
          + "\(room)",
        detail: "\"max_locks_per_transaction\" is \(setting).",
        hint:
          "Set \"max_locks_per_transaction\" to \(neededSetting) or more and restart the server, "
          + "or migrate to the target over smaller versions."
      )
    case .nothingToCopy(let schema):
      Diagnostic(
        "schema \"\(schema)\" has no version of the model that could be copied",
        hint: "Without --into-schema, migrate creates the target in it."
      )
    case .occupiedSchema(let schema):
      Diagnostic(
        "schema \"\(schema)\" has a version of the model already",
        hint:
          "Name a schema that is missing or empty: --into-schema NAME. To migrate this one, use "
          + "--schema \(schema)."
      )
    case .nothingToTransfer(let schema):
      Diagnostic(
        "schema \"\(schema)\" of the source has no version of the model whose rows could be copied",
        hint: "Without --into-database, migrate creates the target in it."
      )
    case .occupiedDestination(let schema, let version):
      Diagnostic(
        "schema \"\(schema)\" of the destination is at version \"\(version)\" already",
        detail: "It was not filled from this source at its current version.",
        hint: "Name an empty database, or another schema with --into-schema. To migrate this one, "
          + "use --database with its URL."
      )
    case .otherTransfer(let version, let record):
      Diagnostic(
        "version \"\(version)\" is being created in the destination from something else",
        detail: "It was begun from another store, another version of the source, or with other "
          + "settings.",
        hint: "Continue that one; or drop the schema's tables, table \(record) and the store's row "
          + "of \"store_creation\" in the destination, and run again."
      )
    case .unfinishedTransfer(let version, let record):
      Diagnostic(
        "version \"\(version)\" is being filled from another database",
        detail: "Table \(record) has the tables that are filled.",
        advice: "Run \(Self.transfer) with both databases, which continues it."
      )
    case .noTransferScript:
      Diagnostic(
        "there is no script of a migration to another database",
        advice: "Run \(Self.transfer), which copies the rows."
      )
    case .otherCreation(let version):
      Diagnostic(
        "the creation of version \"\(version)\" was begun by another version of remodel",
        hint: "Continue with that one, or drop the tables made so far and the store's row of "
          + "\"store_creation\"."
      )
    case .unfinishedCreation(let version):
      Diagnostic(
        "version \"\(version)\" is being created",
        advice: "Run \(CommandCall("migrate")), which continues it."
      )
    case .nothingToExport(let schema):
      Diagnostic(
        "schema \"\(schema)\" has no version whose model could be written",
        hint: "Name the schema with --schema, and the bundle that the store is of with --models."
      )
    case .severalModels(let names):
      Diagnostic(
        "the store is ambiguous without a model",
        detail: "There are stores of \(names.map { "\"\($0)\"" }.joined(separator: ", ")).",
        hint: "Name one of them: --models NAME.remodel."
      )
    case .unlikeExport(let version, let path):
      Diagnostic(
        "version \"\(version)\" does not read back from \"\(path)\" as it was recorded",
        detail: "The file has another checksum than the metadata.",
        hint: "Do not use the file, and use the version of remodel that migrated last."
      )
    case .nothingToAdopt(let schema):
      Diagnostic(
        "schema \"\(schema)\" has no tables that could be adopted",
        hint: "Use migrate, which creates the model's tables."
      )
    case .nothingToModel(let schema, let reasons):
      Diagnostic(
        "schema \"\(schema)\" has no table that an entity could stand for",
        detail: reasons.shownInLines
      )
    case .storeExists(let version):
      Diagnostic(
        "the database is at version \"\(version)\" already",
        detail: "An adopted database has no version yet.",
        hint: "Use migrate to go to another version, and verify to compare."
      )
    case .bundleExists(let path):
      Diagnostic(
        "\"\(path)\" exists already and is not the model of this database",
        hint: "To adopt with the existing model, omit --write; otherwise name another path."
      )
    case .notABundle(let path):
      Diagnostic(
        "\"\(path)\" cannot be the path of a new model",
        hint: "Name a folder for the bundle, or a path that ends in .remodel."
      )
    case .wholeModelOnly(let configuration):
      Diagnostic(
        "a model that is written has no configuration \"\(configuration)\"",
        hint: "Leave --configuration away."
      )
    case .unsettledSchema(let schema):
      Diagnostic(
        "the tables of schema \"\(schema)\" are being changed",
        hint: "Adopt the database when nobody changes them."
      )
    case .sharedSchema(let name):
      Diagnostic(
        "schema \"\(name)\" cannot be that of the tables and of the metadata",
        hint: "Give --schema or --metadata-schema another name."
      )
    case .fork(let branches): branches.diagnostic
    case .mergeConflicts(let first, let second, let conflicts):
      Diagnostic(
        "versions \"\(first)\" and \"\(second)\" have \(conflicts.count) "
          + (conflicts.count == 1 ? "conflict" : "conflicts"),
        hint: "Change one of the two versions so that they agree, if no database is at it, and "
          + "merge again."
      )
    case .nothingToMerge(let first, let second):
      Diagnostic(
        "there is nothing to merge",
        detail: "Version \"\(second)\" was made from version \"\(first)\", and has its changes."
      )
    case .noMergeBase(let first, let second):
      Diagnostic(
        "the version that \"\(first)\" and \"\(second)\" were made from is in no file",
        hint: "Name it with --base: a version, or the path of a model file."
      )
    case .noBundle(let path):
      Diagnostic(
        "\"\(path)\" is a single version, to which no other one can be added",
        hint: "Name a bundle with --models."
      )
    case .versionExists(let name):
      Diagnostic(
        "there is a version \"\(name)\" already",
        hint: "Give the new version another name with --as."
      )
    case .notForDevelopment:
      Diagnostic(
        "the database is not marked as one for development",
        detail: "Only there can a version be migrated to while it is being written.",
        advice: "Mark it with \(CommandCall("mark development"))."
      )
    case .finishedVersion(let name):
      Diagnostic(
        "version \"\(name)\" was migrated to without --draft, and has been edited since",
        hint: "Restore the version, and put the change into a new one."
      )
    case .draftElsewhere:
      Diagnostic(
        "a draft cannot be migrated to in another database or schema",
        detail: "Only the database that the rows are in can be marked as one for development.",
        hint: "Migrate without --draft, or without --into-database and --into-schema."
      )
    case .unusableSchemaName(let name):
      Diagnostic(
        "\"\(name)\" cannot be the name of a schema",
        detail: "A name has 1 to 63 bytes, none of them zero, and does not begin with \"pg_\"."
      )
    }
  }
}

extension ReadableSQL.Fault {
  /// The fault of a statement for a script, in a sentence.
  fileprivate var sentence: String {
    switch self {
    case .stray(let character):
      "A statement has \(character.nameInText) outside of strings and quoted names, which psql takes "
        + "for something else than the server."
    case .unterminated:
      "A statement has a string, a quoted name or a comment without an end, which psql would look for "
        + "in what comes after it."
    case .copy: "A statement copies, and psql would take what comes after it for rows."
    }
  }
}

extension RemodelError {
  private static let transfer = CommandCall("migrate", options: ["--into-database"])

  private static func newMapping(_ source: String, _ target: String) -> CommandCall {
    let file = PlanCall.words("--output", "\(source)-\(target).mapping.yaml")
    return CommandCall("mapping new", options: file, source, target)
  }
}
