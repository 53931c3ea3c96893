import RemodelKit
import SQLSyntax

/// A command to the runner of GitHub Actions by which a message appears at a line of a file.
///
/// The runner reads commands out of the lines of both output streams, so no text of a model or a
/// database may begin a line, or end a property.
struct WorkflowCommand: Hashable, Sendable {
  /// The severity, the gravest first.
  enum Kind: String, CaseIterable, Sendable {
    case error, warning, notice
  }

  let kind: Kind
  let title: String
  /// The message, in lines.
  let lines: [String]
  /// The line that it appears at; it is about the run as a whole without one.
  var location: SourceLocation?
  /// The lines where the version before has what this one does not have.
  var formerLocations: [SourceLocation] = []

  /// The runner shows so many commands of a kind for a step, and drops the rest.
  static let shownCount = 10

  /// Returns the command as it is written.
  func text(in workspace: Workspace) -> String {
    var properties: [String] = []
    if let location, let line = location.line {
      properties.append("file=\(Self.property(workspace.relativePath(of: location.path)))")
      properties.append("line=\(line)")
      if let column = location.column { properties.append("col=\(column)") }
    }
    properties.append("title=\(Self.property(title.shownInLine))")
    var lines = lines
    if !formerLocations.isEmpty {
      let places = formerLocations.map { place in
        let path = workspace.relativePath(of: place.path)
        return place.line.map { "\(path):\($0)" } ?? path
      }
      lines.append("In the version before: \(places.joined(separator: ", "))")
    }
    return "::\(kind.rawValue) \(properties.joined(separator: ","))::\(Self.message(lines))"
  }

  private static func message(_ lines: [String]) -> String {
    var text = lines.map { withoutOldCommands($0.shownInLine) }.joined(separator: "\n")
    // The runner cuts off what is longer than 4,096 units of UTF-16.
    if text.utf16.count > 4000 { text = String(text.unicodeScalars.prefix(1990)) + " …" }
    return escaped(text)
  }

  private static func property(_ text: String) -> String {
    escaped(withoutOldCommands(text)).replacingScalars(":", with: "%3A")
      .replacingScalars(",", with: "%2C")
  }

  /// Returns a text without the beginning of commands of the earlier form, which the runner finds
  /// anywhere in a line.
  private static func withoutOldCommands(_ text: String) -> String {
    text.replacingScalars("##[", with: "## [")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension [WorkflowCommand] {
  /// Returns the commands as they are written, the gravest first, no more than the runner shows.
  func text(in workspace: Workspace) -> String {
    WorkflowCommand.Kind.allCases
      .flatMap { kind in filter { $0.kind == kind }.limited }
      .map { $0.text(in: workspace) + "\n" }.joined()
  }

  private var limited: [WorkflowCommand] {
    guard let first, count > WorkflowCommand.shownCount else { return self }
    let shown = prefix(WorkflowCommand.shownCount - 1)
    let rest = count - shown.count
    let noun = first.kind == .notice ? "note" : first.kind.rawValue
    let plan = StoreOptions.current.phrase(CommandCall("plan"))
    return shown + [
      WorkflowCommand(
        kind: first.kind,
        title: "\(rest) more",
        lines: ["\(counted(rest, "more \(noun)")): \(plan) shows them all"]
      )
    ]
  }
}

extension WorkflowCommand {
  /// Returns a text for people in which the runner finds no command.
  static func disarmed(_ text: String) -> String {
    guard text.hasScalars("::") || text.hasScalars("##[") else { return text }
    var result = ""
    var isBeginning = true
    var rest = withoutOldCommands(text).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      result.unicodeScalars.append(scalar)
      if isBeginning, scalar == ":", rest.first == ":" { result += " " }
      switch scalar {
      case "\n", "\r": isBeginning = true
      case _: isBeginning = isBeginning && scalar.properties.isWhitespace
      }
    }
    return result
  }
}

extension ErrorReport {
  /// The error as commands.
  var workflowCommands: [WorkflowCommand] {
    diagnostics.map { WorkflowCommand($0, title: status.title) }
  }
}

extension WorkflowCommand {
  /// Creates the command of a diagnostic.
  ///
  /// - Parameters:
  ///   - diagnostic: The diagnostic.
  ///   - title: The title.
  ///   - location: The line, if the diagnostic has none of its own.
  init(_ diagnostic: Diagnostic, title: String, at location: SourceLocation? = nil) {
    let diagnostic = diagnostic.completed
    let more = [diagnostic.detail, diagnostic.hint, diagnostic.context]
    self.init(
      kind: diagnostic.severity == .error ? .error : .warning,
      title: title,
      lines: [diagnostic.message] + more.compactMap(\.self).flatMap(\.lines),
      location: diagnostic.location ?? location
    )
  }
}

extension ExitStatus {
  /// The kind of an error, as a title.
  fileprivate var title: String {
    switch self {
    case .success, .failure: "remodel failed"
    case .difference: "There is a difference"
    case .noMapping: "No mapping"
    case .notOurs: "Not ours to migrate"
    case .notAvailable: "No lock"
    case .unreachable: "No connection"
    case .refused: "Refused"
    case .unfinishedJob: "Unfinished copy job"
    case .dataNotAllowed: "The rows do not allow it"
    case .usage: "The call is faulty"
    case .invalidFile: "The file is not valid"
    case .interrupted, .terminated: "Interrupted"
    }
  }
}
