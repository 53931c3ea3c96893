import RemodelKit

/// A call that cannot be carried out as it was written.
struct UsageError: DiagnosticError, Hashable {
  /// The fault.
  let fact: Fact

  enum Fact: Hashable, Sendable {
    /// No database is selected.
    case noDatabase
    /// A value that an option or a variable cannot have.
    case unusableValue(Setting, expectation: String, hint: String?)
    /// Two options of which only one can be given.
    case conflict(String, String)
    /// An argument is missing that this form of the call needs.
    case missing(String, hint: String)
    /// The call does not fit any verb.
    case notParsed(message: String, advice: String?, help: String?, verbs: [String])
    /// The file that a variable names, which is to hold a secret, cannot be read.
    /// Its value is not quoted, which may be the secret itself.
    case unreadableSecret(variable: String, reason: String)
    /// That file holds nothing.
    case emptySecret(variable: String)
    /// That file holds bytes that are no text in UTF-8, or NUL.
    case binarySecret(variable: String)
    /// A file that an option names cannot be read.
    case unreadableFile(Diagnostic)
    /// One digest is to hold for several schemas.
    case digestOfSchemas
    /// The requested form does not exist for the result of many stores.
    case formOfOneStore(String, String)
    /// The file for the result cannot be written.
    case unwritableFile(path: String, reason: String)
    /// The result cannot be written to standard output.
    case unwritableOutput(reason: String)
  }

  init(_ fact: Fact) {
    self.fact = fact
  }

  var diagnostics: [Diagnostic] {
    switch fact {
    case .noDatabase:
      [
        Diagnostic(
          "no database is named",
          detail: "Neither --database nor REMODEL_DATABASE_URL, DATABASE_URL or libpq's PGHOST, "
            + "PGPORT, PGDATABASE, PGUSER, PGSERVICE is set.",
          hint: "Use --database postgresql://user@host/database, or --scratch for a throwaway "
            + "server."
        )
      ]
    case .unusableValue(let setting, let expectation, let hint):
      [
        Diagnostic(
          "\(setting.origin) has the value \"\(setting.text)\", which is not \(expectation)",
          hint: hint
        )
      ]
    case .conflict(let first, let second):
      [Diagnostic("\(first) cannot be combined with \(second)")]
    case .missing(let what, let hint):
      [Diagnostic("\(what) is missing", hint: hint)]
    case .notParsed(let message, let advice, let help, let verbs):
      [Self.diagnostic(ofParser: message, advice: advice, help: help, verbs: verbs)]
    case .unreadableSecret(let variable, let reason):
      [
        Diagnostic(
          "could not read the file that environment variable \(variable) names",
          detail: reason,
          hint: "Its value is the path of a file that holds the secret, not the secret itself."
        )
      ]
    case .emptySecret(let variable):
      [Diagnostic("the file that environment variable \(variable) names holds no value")]
    case .binarySecret(let variable):
      [
        Diagnostic(
          "the file that environment variable \(variable) names holds no text",
          detail: "It has a NUL byte in it, or is not in UTF-8."
        )
      ]
    case .unreadableFile(let diagnostic): [diagnostic]
    case .digestOfSchemas:
      [
        Diagnostic(
          "--require-digest cannot be combined with several schemas",
          detail: "A digest covers the name of the schema, so that each schema has its own.",
          hint: "Migrate them one by one, or deny hazards with --deny in place of a digest."
        )
      ]
    case .formOfOneStore(let format, let option):
      [
        Diagnostic(
          "--format \(format) cannot be combined with \(option)",
          hint: "Plan one of the stores by --database and --schema, or use --format text or json."
        )
      ]
    case .unwritableFile(let path, let reason):
      [Diagnostic("could not write file \"\(path)\": \(reason)")]
    case .unwritableOutput(let reason):
      [Diagnostic("could not write to standard output: \(reason)")]
    }
  }

  /// Returns the parser's error as a diagnostic: a fact, and a remedy as a hint.
  private static func diagnostic(
    ofParser message: String,
    advice: String?,
    help: String?,
    verbs: [String]
  ) -> Diagnostic {
    let sentences = message.split(separator: ". ", maxSplits: 1).map(String.init)
    var fact = sentences.first ?? "the arguments are no call"
    if fact.last == "." { fact.removeLast() }
    var hints = advice.map { [$0] } ?? sentences.dropFirst().map(\.self)
    let prefix = "Unexpected argument '"
    if hints.isEmpty, fact.hasPrefix(prefix) {
      let word = String(fact.dropFirst(prefix.count).dropLast())
      if verbs.contains(word) {
        hints.append("A call begins with one verb.")
      } else if let verb = suggestion(for: word, among: verbs) {
        hints.append("Did you mean '\(verb)'?")
      }
    }
    if let help { hints.append(help) }
    return Diagnostic(
      fact.prefix(1).lowercased() + fact.dropFirst(),
      hint: hints.isEmpty ? nil : hints.joined(separator: " ")
    )
  }
}
