import ArgumentParser
import RemodelKit

/// The form of a result.
enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
  /// A script for `psql`; plans only.
  case sql
  /// GitHub's Markdown, for pull requests; plans only.
  case markdown
  /// A mapping file, or model files; mapping models and exported models only.
  case yaml
  /// Model files in Xcode's form; exported models only.
  case xcode
  /// Mermaid's text; diagrams only.
  case mermaid
  /// The text of Graphviz; diagrams only.
  case dot
  /// A picture; diagrams only.
  case svg
  /// A page to look at; plans only.
  case html
}

/// In what form the result is written, and where to.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The form of the result: text or json; plans also sql, html and markdown. (default: by the file's extension, "
        + "else text)",
      valueName: "format"
    ),
    completion: .list(OutputFormat.allCases.map(\.rawValue))
  )
  var format: String?

  @Option(
    name: .long,
    help: ArgumentHelp("A file for the result, instead of standard output.", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @Flag(name: .long, help: "Do not colour anything. (NO_COLOR)")
  var noColor = false

  /// Returns the form of the result, one of those that the verb has.
  func chosenFormat(among formats: [OutputFormat]) throws(UsageError) -> OutputFormat {
    if let format {
      let setting = Setting(source: .option("--format"), text: format)
      return try setting.choice(among: formats)
    }
    let usual = formats.first ?? .text
    guard let output else { return usual }
    guard !output.isEmpty else {
      throw Setting(source: .option("--output"), text: output).unusable("a path")
    }
    let format = OutputFormat(fileExtension: output)
    return formats.contains(format) ? format : usual
  }
}

extension OutputFormat {
  /// Creates the form that a file's extension stands for: text if it is none that we know.
  init(fileExtension path: String) {
    let name = path.lowercased()
    let forms: [(suffix: String, format: OutputFormat)] = [
      (".json", .json), (".sql", .sql), (".mmd", .mermaid), (".dot", .dot), (".gv", .dot),
      (".yaml", .yaml), (".svg", .svg), (".html", .html), (".htm", .html),
      (".md", .markdown), (".markdown", .markdown),
    ]
    self = forms.first { name.hasSuffix($0.suffix) }?.format ?? .text
  }

  /// Returns the form that errors are to have, for a call that may be faulty.
  static func ofErrors(format: String?, _ file: String?) -> OutputFormat {
    if let format { return OutputFormat(rawValue: format) ?? .text }
    return file.map(OutputFormat.init(fileExtension:)) ?? .text
  }

  /// Returns the form that errors are to have, for a call that is no call of a verb.
  static func ofErrors(arguments: [String]) -> OutputFormat {
    ofErrors(format: arguments.value(of: "--format"), arguments.value(of: "--output"))
  }
}
