internal import MigrationExecution

extension PlanDifference {
  /// The difference, as a sentence.
  public var summary: String {
    switch self {
    case .digest(let digest): "The digest of what would run is \(digest)."
    case .fileDigest: "The digest in the file is not that of what it says."
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
      "The plan leads over \(Self.list(planned)), and the way leads over \(Self.list(found)) now."
    case .pendingWork(let work): "First it would \(work.summary), which \"finish\" does."
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
