import RemodelKit

/// A form that results are written in.
///
/// Each is declared once, beside what writes it, and listed below for the results that have it.
struct OutputFormat: Sendable {
  /// Its name in `--format`.
  let name: String
  /// Whether every report has it.
  let isGeneral: Bool
  /// The ends of files' names that stand for it.
  private let suffixes: [String]
  private let write: @Sendable (any Report, TextStyle) throws -> String

  /// Creates a form that every report has.
  init(
    _ name: String,
    suffixes: [String] = [],
    write: @escaping @Sendable (any Report, TextStyle) throws -> String
  ) {
    self.name = name
    isGeneral = true
    self.suffixes = suffixes
    self.write = write
  }

  /// Creates a form that reports of one kind have; others are written as text.
  init<Subject: Report>(
    _ name: String,
    suffixes: [String],
    of type: Subject.Type,
    write: @escaping @Sendable (Subject) throws -> String
  ) {
    self.name = name
    isGeneral = false
    self.suffixes = suffixes
    self.write = { report, _ in
      try (report as? Subject).map(write) ?? report.blocks.text(.plain)
    }
  }

  /// Who reads it.
  var reader: TextFile.Reader {
    [Self.text.name, Self.markdown.name, Self.xcode.name].contains(name) ? .people : .program
  }

  /// Returns whether a file's name stands for it.
  func isMeant(by path: String) -> Bool {
    let path = path.lowercased()
    return suffixes.contains { path.hasSuffix($0) }
  }

  /// Returns a report as it leaves, in whole lines.
  func text(of report: any Report, _ style: TextStyle) throws -> String {
    let text = try write(report, style)
    return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
  }
}

extension OutputFormat {
  static let text = OutputFormat("text") { $0.blocks.text($1) }
  static let json = OutputFormat("json", suffixes: [".json"]) { report, _ in try report.jsonText }
  /// A script for `psql`.
  static let sql = OutputFormat("sql", suffixes: [".sql"], of: PlanReport.self) {
    try $0.scriptText
  }
  /// A mapping file, or model files; the report of these is text.
  static let yaml = OutputFormat("yaml", suffixes: [".yaml"], of: CompleteMappingReport.self) {
    $0.yaml
  }
  /// Model files in Xcode's form, whose report is text.
  static let xcode = OutputFormat("xcode") { $0.blocks.text($1) }
  /// Mermaid's text.
  static let mermaid = OutputFormat("mermaid", suffixes: [".mmd"], of: DiagramReport.self) {
    $0.diagram.mermaid.shown
  }
  /// The text of Graphviz.
  static let dot = OutputFormat("dot", suffixes: [".dot", ".gv"], of: DiagramReport.self) {
    $0.diagram.dot.shown
  }
  /// A picture.
  static let svg = OutputFormat("svg", suffixes: [".svg"], of: DiagramReport.self) {
    $0.diagram.svg
  }
}

// MARK: - Results

extension OutputFormat {
  /// The forms that every report has.
  static let general = [text, json]
  static let ofPlans = general + onlyOfPlans
  static let ofHistory = general + onlyOfHistory
  static let ofStatus = general + onlyOfStatus
  static let ofMappings = general + [yaml]
  static let ofModels = general + onlyOfModels
  static let ofDiagrams: [OutputFormat] = onlyOfDiagrams + general.dropFirst()

  private static let onlyOfPlans = [sql, html, markdown, github]
  private static let onlyOfHistory = [historyPage]
  private static let onlyOfStatus = [statusPage]
  private static let onlyOfModels = [yaml, xcode]
  private static let onlyOfDiagrams = [mermaid, dot, svg]
}

extension [OutputFormat] {
  /// What the help says of the forms.
  var words: String {
    let names = map(\.name)
    return names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
  }
}
