#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The help of a command as the parser describes it to programs.
struct CommandHelp: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool
  let superCommands: [String]?
  let subcommands: [CommandHelp]?
  let arguments: [Argument]?

  /// An option, a flag, or an argument without a name.
  struct Argument: Decodable {
    let kind: String
    let names: [Name]?
    let preferredName: Name?
    let sectionTitle: String?
    let abstract: String?
    let discussion: String?
    let valueName: String?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
  }

  /// A name of an option or a flag.
  struct Name: Decodable, Hashable {
    let kind: String
    let name: String
  }

  private struct Dump: Decodable {
    let command: CommandHelp
  }

  /// Reads the parser's text.
  static func read(_ text: String) throws -> CommandHelp {
    try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
  }
}

// MARK: - Reading

extension CommandHelp {
  /// The name with those of the commands that it is in, but for the executable's: `model list`.
  var verb: String {
    ((superCommands ?? []).dropFirst() + [commandName]).joined(separator: " ")
  }

  /// The verbs in this command, or itself if there are none; hidden ones and `help` aside.
  var verbs: [CommandHelp] {
    let shown = (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
    return shown.isEmpty ? [self] : shown.flatMap(\.verbs)
  }

  /// The arguments that have no names.
  var operands: [Argument] {
    (arguments ?? []).filter { $0.kind == "positional" && $0.shouldDisplay }
  }

  /// The options and flags.
  var options: [Argument] {
    (arguments ?? []).filter { $0.kind != "positional" && $0.shouldDisplay }
  }
}

extension CommandHelp.Argument {
  /// The name as it is typed: `--format`.
  var option: String {
    preferredName.map { ($0.kind == "long" ? "--" : "-") + $0.name } ?? ""
  }

  /// The description with its additions, as sentences.
  var text: String {
    [abstract, discussion].compactMap(\.self).joined(separator: " ")
  }

  /// The environment variables that its help names.
  var variables: [String] {
    text.matches(of: /\b(?:REMODEL_[A-Z_]+|DATABASE_URL|NO_COLOR)\b/).map { String($0.output) }
  }
}
