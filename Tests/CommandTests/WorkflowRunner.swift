/// How the runner of GitHub Actions reads the output of a step.
enum WorkflowRunner {
  /// A command that it finds.
  struct Command: Hashable {
    var name: String
    var properties: [String: String] = [:]
    var message = ""
  }

  /// The commands that it knows.
  private static let names: Set = [
    "error", "warning", "notice", "debug", "group", "endgroup", "echo", "add-mask", "add-matcher",
    "remove-matcher", "set-output", "save-state", "set-env", "add-path", "stop-commands",
  ]

  /// Returns the commands in a stream.
  static func commands(in output: String) -> [Command] {
    output.split { $0.isNewline && $0 != "\u{2028}" && $0 != "\u{2029}" }
      .compactMap { command(in: String($0)) }
  }

  private static func command(in line: String) -> Command? {
    let trimmed = line.drop(while: \.isWhitespace)
    if trimmed.hasPrefix("::"),
      let end = trimmed.dropFirst(2).firstRange(of: "::"),
      let found = command(trimmed.dropFirst(2)[..<end.lowerBound], ",")
    {
      var command = found
      command.message = unescaped(String(trimmed[end.upperBound...]))
      return command
    }
    // The earlier form, anywhere in a line.
    guard let start = line.firstRange(of: "##["),
      let end = line[start.upperBound...].firstIndex(of: "]"),
      let found = command(line[start.upperBound..<end], ";")
    else { return nil }
    var command = found
    command.message = String(line[end...].dropFirst())
    return command
  }

  private static func command(_ text: Substring, _ separator: Character) -> Command? {
    let name = String(text.prefix { $0 != " " })
    guard names.contains(name) else { return nil }
    var command = Command(name: name)
    for property in text.dropFirst(name.count).split(separator: separator) {
      let parts = property.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      command.properties[String(parts[0])] = unescaped(
        String(parts[1]).replacing("%3A", with: ":").replacing("%2C", with: ",")
      )
    }
    return command
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing("%25", with: "%")
  }
}
