import ArgumentParser
import RemodelKit

/// An option, a flag or an operand of a verb, declared once: its name, its variable, its help, its
/// setting.
struct CommandOption: Sendable {
  enum Kind: Sendable {
    /// One value, which the help calls so.
    case value(String)
    /// Any number of values, which the help calls so.
    case list(String)
    case flag
    case operand
    case requiredOperand
  }

  /// Writes a setting into a configuration.
  typealias Setter = @Sendable (Setting, inout RemodelConfiguration) throws -> Void

  /// The name, without dashes.
  let name: String
  let kind: Kind
  /// The environment variable that is read where the call does not have the option.
  let variable: String?
  /// The character between several values in the variable.
  let separator: Character
  /// Whether a plan file contains it as well, so that both cannot be given.
  let isOfPlan: Bool
  let set: Setter?
  private let help: ArgumentHelp
  private let completion: CompletionKind?

  /// Creates an option.
  ///
  /// - Parameters:
  ///   - name: The name, without dashes.
  ///   - kind: The kind of its value.
  ///   - help: The help, without the variable and the default.
  ///   - variable: The environment variable.
  ///   - form: The form of several values in the variable.
  ///   - separator: The character between them.
  ///   - defaultText: The default, for the help.
  ///   - discussion: More for the help.
  ///   - completion: The completion in shells.
  ///   - isOfPlan: Whether a plan file contains it as well.
  ///   - set: Writes each value into a configuration.
  init(
    _ name: String,
    _ kind: Kind,
    _ help: String,
    variable: String? = nil,
    form: String = "",
    separator: Character = ",",
    default defaultText: String? = nil,
    discussion: String = "",
    completion: CompletionKind? = nil,
    isOfPlan: Bool = false,
    set: Setter? = nil
  ) {
    let notes = [variable.map { $0 + form }, defaultText.map { "default: \($0)" }]
      .compactMap(\.self).joined(separator: "; ")
    let valueName: String? =
      switch kind {
      case .value(let name), .list(let name): name
      case .flag, .operand, .requiredOperand: nil
      }
    self.name = name
    self.kind = kind
    self.variable = variable
    self.separator = separator
    self.isOfPlan = isOfPlan
    self.set = set
    self.help = ArgumentHelp(
      stringLiteral: notes.isEmpty ? help : "\(help) (\(notes))"
    ).with(discussion, valueName)
    self.completion = completion
  }

  /// The option as it is typed; an operand as the help has it.
  var typed: String {
    switch kind {
    case .operand, .requiredOperand: "<\(name)>"
    case .value, .list, .flag: "--\(name)"
    }
  }
}

extension ArgumentHelp {
  fileprivate func with(_ discussion: String, _ valueName: String?) -> ArgumentHelp {
    var help = self
    help.discussion = discussion
    help.valueName = valueName
    return help
  }
}

/// Options under one heading of the help.
protocol OptionSection: SendableMetatype {
  static var title: String { get }
  static var options: [CommandOption] { get }
}

// MARK: - Parser

/// The values that a call gives, by the names of their options; a flag has an empty one.
typealias GivenValues = [String: [String]]

/// The name of an option or a section, as the parser asks for it.
struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension CommandOption {
  /// The wrapper that defines the option for the parser, which finds it in the mirror of a type.
  var definition: (label: String?, value: Any) {
    let long = NameSpecification.customLong(name)
    let value: Any =
      switch kind {
      case .value: Option<String?>(name: long, help: help, completion: completion)
      case .list:
        Option<[String]>(wrappedValue: [], name: long, help: help, completion: completion)
      case .flag: Flag<Bool>(wrappedValue: false, name: long, help: help)
      case .operand: Argument<String?>(help: help, completion: completion)
      case .requiredOperand: Argument<String>(help: help, completion: completion)
      }
    return (name, value)
  }

  /// Returns the values that the parser has found.
  fileprivate func values(in container: KeyedDecodingContainer<OptionKey>) throws -> [String] {
    let key = OptionKey(stringValue: name)
    switch kind {
    case .value:
      return [try container.decode(Option<String?>.self, forKey: key).wrappedValue]
        .compactMap(\.self)
    case .list: return try container.decode(Option<[String]>.self, forKey: key).wrappedValue
    case .flag: return try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? [""] : []
    case .operand:
      return [try container.decode(Argument<String?>.self, forKey: key).wrappedValue]
        .compactMap(\.self)
    case .requiredOperand:
      return [try container.decode(Argument<String>.self, forKey: key).wrappedValue]
    }
  }
}

extension [CommandOption] {
  /// Returns the values that the parser has found.
  func values(in container: KeyedDecodingContainer<OptionKey>) throws -> GivenValues {
    var values: GivenValues = [:]
    for option in self { values[option.name] = try option.values(in: container) }
    return values
  }
}

struct SectionValues<Section: OptionSection>: ParsableArguments, CustomReflectable {
  let values: GivenValues

  init() { values = [:] }

  init(from decoder: any Decoder) throws {
    values = try Section.options.values(in: decoder.container(keyedBy: OptionKey.self))
  }

  var customMirror: Mirror { Mirror(self, children: Section.options.map(\.definition)) }
}

extension OptionSection {
  /// The section as the parser finds it in the mirror of a command.
  static var definition: (label: String?, value: Any) {
    (key.stringValue, OptionGroup<SectionValues<Self>>(title: title))
  }

  /// Returns the values that the parser has found.
  static func values(in container: KeyedDecodingContainer<OptionKey>) throws -> GivenValues {
    try container.decode(OptionGroup<SectionValues<Self>>.self, forKey: key).wrappedValue.values
  }

  private static var key: OptionKey { OptionKey(stringValue: "\(Self.self)") }
}
