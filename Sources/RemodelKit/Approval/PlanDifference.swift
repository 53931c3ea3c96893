public import MigrationExecution

/// A difference between a plan and the approved one.
public enum PlanDifference: Hashable, Sendable {
  /// The settings that identify the store of a plan.
  public enum Setting: Hashable, Sendable {
    case model
    case configuration
    case schema
    case metadataSchema
  }

  /// The parts of a step, in order.
  public enum Part: Hashable, Sendable {
    /// A question to the rows.
    case question
    /// A statement.
    case statement
  }

  /// The digest is that of another plan.
  case digest(String)
  /// The digest in the file differs from that of its contents.
  case fileDigest
  /// The plan is of another store.
  case setting(Setting, planned: String?, asked: String?)
  /// The target is another one than it was.
  case editedVersion(String)
  /// The plan is for another database.
  case database(planned: String, found: String)
  /// The plan is for another server, by the identifier of its cluster.
  case server(planned: String, found: String)
  /// The plan is for another version of PostgreSQL.
  case serverMajor(planned: Int, found: Int)
  /// The plan is for another role; `nil` is that of the login.
  case role(planned: String, found: String?)
  /// The plan begins somewhere else; none is an empty schema.
  case beginning(planned: String?, found: String?)
  /// The plan leads over other versions.
  case way(planned: [String], found: [String])
  /// Deferred work of the last migration would run first.
  case pendingWork(PendingWork)
  /// A step would also do something that was not planned.
  case added(Part, sql: String, step: String)
  /// A step would no longer do something that was planned.
  case removed(Part, sql: String, step: String)
  /// A step would run the same statements in other circumstances.
  case circumstances(step: String)
}

extension PlanDifference {
  /// The difference, as a sentence.
  public var summary: String {
    switch self {
    case .digest(let digest): "The digest of the plan is \(digest)."
    case .fileDigest: "The digest in the file is not that of its contents."
    case .setting(let setting, let planned, let asked):
      "It is for \(setting.name) \(Self.quoted(planned)), and not \(Self.quoted(asked))."
    case .editedVersion(let name): "Version \"\(name)\" has been edited since the plan was made."
    case .database(let planned, let found):
      "It was made for database \"\(planned)\", and this is \"\(found)\"."
    case .server(let planned, let found):
      "It was made for the server with system identifier \(planned), and this one has \(found)."
    case .serverMajor(let planned, let found):
      "It was made for PostgreSQL \(planned), and this is \(found)."
    case .role(let planned, let found):
      "It was made for role \"\(planned)\", and this is "
        + (found.map { "role \"\($0)\"" } ?? "the role of the login") + "."
    case .beginning(let planned, let found):
      "The plan begins at \(planned.map { "version \"\($0)\"" } ?? "an empty schema"), and the "
        + "database is \(found.map { "at version \"\($0)\"" } ?? "empty")."
    case .way(let planned, let found):
      "The approved steps lead to \(Self.list(planned)), the present ones to \(Self.list(found))."
    case .pendingWork(let work): "Deferred work is pending, which \"finish\" does: \(work.summary)."
    case .added(let part, let sql, let step):
      "The step to version \"\(step)\" now \(part.verb): \(sql)"
    case .removed(let part, let sql, let step):
      "The step to version \"\(step)\" no longer \(part.verb): \(sql)"
    case .circumstances(let step):
      "The step to version \"\(step)\" starts from, leads to or locks something else, or copies "
        + "rows in another way."
    }
  }

  private static func quoted(_ name: String?) -> String { name.map { "\"\($0)\"" } ?? "none" }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension PlanDifference.Setting {
  fileprivate var name: String {
    switch self {
    case .model: "model"
    case .configuration: "configuration"
    case .schema: "schema"
    case .metadataSchema: "metadata schema"
    }
  }
}

extension PlanDifference.Part {
  fileprivate var verb: String {
    switch self {
    case .question: "asks"
    case .statement: "runs"
    }
  }
}
