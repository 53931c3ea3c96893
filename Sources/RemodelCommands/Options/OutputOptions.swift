import ArgumentParser
import RemodelKit

/// The form and the destination of a verb's result.
enum OutputOptions<V: Verb>: OptionSection {
  static var title: String { "Output" }
  static var options: [CommandOption] { [.format(among: V.formats), .output, .noColor] }
}

extension CommandOption {
  static let format: CommandOption = .format(among: OutputFormat.general)

  static func format(among formats: [OutputFormat]) -> CommandOption {
    CommandOption(
      "format",
      .value("format"),
      "The form of the result: \(formats.words).",
      default: "by the file's extension, else \(formats.first?.name ?? "")",
      completion: .list(formats.map(\.name))
    )
  }

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

  /// The form of errors, in a call that may be faulty.
  var errorForm: ErrorReport.Form { ErrorReport.Form(self[.format], self[.output]) }
}
