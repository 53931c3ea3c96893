import ArgumentParser
import RemodelKit

/// The form and the destination of the result.
enum OutputOptions: OptionSection {
  static let title = "Output"
  static let options: [CommandOption] = [.format, .output, .noColor]
}

extension CommandOption {
  static let format = CommandOption(
    "format",
    .value("format"),
    "The form of the result: \(OutputFormat.words).",
    default: "by the file's extension, else text",
    completion: .list(OutputFormat.all.map(\.name))
  )
  static let output = CommandOption(
    "output",
    .value("file"),
    "A file for the result, instead of standard output.",
    completion: .file()
  )
  static let noColor = CommandOption(
    "no-color",
    .flag,
    "Do not colour anything.",
    variable: "NO_COLOR"
  )
}

extension OptionValues {
  /// Returns the form of the result, one of those that the verb has.
  func format(among formats: [OutputFormat]) throws(UsageError) -> OutputFormat {
    if let setting = setting(.format) {
      guard let format = formats.first(where: { $0.name == setting.text }) else {
        throw setting.notAmong(formats.map(\.name))
      }
      return format
    }
    let path = try setting(.output)?.nonEmpty("a path")
    return formats.first { format in path.map(format.isMeant) ?? false } ?? formats.first ?? .text
  }

  /// Whether errors are JSON, in a call that may be faulty.
  var tellsErrorsAsJSON: Bool { Self.tellsErrorsAsJSON(self[.format], self[.output]) }

  /// Returns whether errors are JSON.
  static func tellsErrorsAsJSON(_ format: String?, _ path: String?) -> Bool {
    format.map { $0 == OutputFormat.json.name } ?? path.map(OutputFormat.json.isMeant) ?? false
  }
}
