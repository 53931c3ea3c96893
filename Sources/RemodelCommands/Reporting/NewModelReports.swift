import RemodelKit

/// A call that may come next, and what for.
private struct NextCommand: JSONKeyed {
  let command: String
  let purpose: String

  var json: JSONObject { ["command": command, "purpose": purpose] }
}

/// The files of a first model.
struct NewModelReport: Report {
  let model: ModelConversion
  /// The option by which the next calls find the model.
  let models: String
  /// Whether the next calls have a database without an option.
  let hasDatabase: Bool

  var json: JSONObject {
    [
      "path": model.path,
      "version": model.currentVersion,
      "files": model.files.map(\.path),
      "next": next,
    ]
  }

  var blocks: [Block] {
    "created \(model.path)"
    for file in model.files { "  \(file.path)" }
    next.blocks
  }

  private var next: [NextCommand] {
    let database = hasDatabase ? "" : " --scratch"
    let place = hasDatabase ? "your database" : "a throwaway server"
    return [
      NextCommand(command: "remodel model validate\(models)", purpose: "check the file"),
      NextCommand(command: "remodel plan\(database)\(models)", purpose: "see the SQL"),
      NextCommand(
        command: "remodel migrate\(database)\(models)",
        purpose: "create the tables on \(place)"
      ),
    ]
  }
}

/// The files of a new version.
struct NewVersionReport: Report {
  let version: NextVersion
  /// The option by which the next calls find the model.
  let models: String

  var json: JSONObject {
    [
      "path": version.path,
      "version": version.name,
      "source": version.source,
      "sourceChecksum": version.sourceChecksum,
      "files": version.files.map(\.path),
      "next": next,
    ]
  }

  var blocks: [Block] {
    "created \(versionName(version.name)), a copy of \(versionName(version.source))"
    for file in version.files { "  \(file.path)" }
    next.blocks
  }

  private var next: [NextCommand] {
    let source = [version.source].operandsForShell
    let from = PlanCall.words("--from", version.source).map(\.quotedForShell).joined(separator: " ")
    return [
      NextCommand(
        command: "remodel model diff\(models) \(source)",
        purpose: "see what you have changed"
      ),
      NextCommand(command: "remodel plan \(from)\(models)", purpose: "see the SQL"),
    ]
  }
}

extension [NextCommand] {
  fileprivate var blocks: [Block] {
    [.line("next:"), .nested(2, map { .row($0.command, $0.purpose) })]
  }
}

/// A JSON Schema, whose text is the same in every form.
struct SchemaReport: Report {
  private let text: String

  /// Creates the schema of a subject; none if there is no such subject.
  init?(of subject: String) {
    if let schema = FileSchema(rawValue: subject) {
      text = schema.text
    } else if subject == Self.allReports {
      text = ReportSchema.all
    } else if let schema = ReportSchema.named(subject) {
      text = schema
    } else {
      return nil
    }
  }

  /// Everything that has a schema.
  static let subjects =
    FileSchema.allCases.map(\.rawValue) + [allReports] + ReportSchema.names

  private static let allReports = "report"

  var json: JSONObject { [:] }
  var jsonText: String { text }
  var blocks: [Block] { Block.text(text.last == "\n" ? String(text.dropLast()) : text) }
}
