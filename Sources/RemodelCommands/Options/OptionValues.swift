import RemodelKit

/// The settings of a call, from its options and the environment.
struct OptionValues: Sendable {
  /// The options that the verb takes.
  let options: [CommandOption]
  let given: GivenValues
  let environment: CommandEnvironment

  /// The value in the call itself, if it has the option.
  subscript(option: CommandOption) -> String? { given[option.name]?.first }

  /// All values in the call itself.
  func all(_ option: CommandOption) -> [String] { given[option.name] ?? [] }

  /// Returns whether the call itself has the option.
  func has(_ option: CommandOption) -> Bool { self[option] != nil }

  /// Returns the value of the call, otherwise that of the variable.
  func setting(_ option: CommandOption) -> Setting? {
    if let text = self[option] { return Setting(source: .option(option.typed), text: text) }
    guard let variable = option.variable, let text = environment[variable] else { return nil }
    return Setting(source: .variable(variable), text: text)
  }

  /// Returns all values of the call, otherwise those of the variable.
  func settings(_ option: CommandOption) -> [Setting] {
    guard case .list = option.kind else { return [setting(option)].compactMap(\.self) }
    let texts = all(option)
    guard texts.isEmpty, let variable = option.variable, let text = environment[variable] else {
      return texts.map { Setting(source: .option(option.typed), text: $0) }
    }
    return text.split(separator: option.separator)
      .map { Setting(source: .variable(variable), text: String($0)) }
  }

  func configuration() throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration(policies: environment.policies)
    for option in options {
      guard let set = option.set else { continue }
      for setting in settings(option) { try set(setting, &configuration) }
    }
    if options.contains(where: { $0.name == CommandOption.models.name }) {
      let paths = try settings(.models).map { try $0.nonEmpty("a path") }
      configuration.modelsPath = paths.first ?? configuration.modelsPath
      configuration.furtherModelsPaths = Array(paths.dropFirst())
    }
    // Denials may name entities of the models that the other options lead to.
    if options.contains(where: { $0.name == CommandOption.deny.name }) {
      configuration.denials = try denials(configuration)
      configuration.unservedEntities = try unservedEntities(configuration)
    }
    return configuration
  }
}
