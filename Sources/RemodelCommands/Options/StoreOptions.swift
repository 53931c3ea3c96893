import ArgumentParser
import RemodelKit

/// The options by which a call has named its store: the calls that it prints repeat them, or they would
/// mean another one.
struct StoreOptions: Sendable {
  private struct Words: Sendable {
    let option: String
    let words: [String]
  }

  /// Those of the call that runs.
  @TaskLocal
  static var current = StoreOptions()

  private var given: [Words] = []
  /// Whether a printed call cannot name the store: there are many, or they are in a file.
  private var needsSchema = false
  private var needsDatabase = false

  /// Creates the options of a call that has none.
  init() {}

  /// Creates the options of a call; those of a throwaway server are of no use afterwards.
  init(_ options: OptionValues) {
    guard options.throwawayOption == nil else { return }
    needsDatabase = options.has(.targets)
    needsSchema = options.targetOption != nil
    let taken = Set(options.options.map(\.name))
    for option in Self.all where taken.contains(option.name) {
      add(option, Self.values(of: option, options))
    }
  }

  private mutating func add(_ option: CommandOption, _ values: [String]) {
    given.append(
      Words(option: option.name, words: values.flatMap { PlanCall.words(option.typed, $0) })
    )
  }

  /// Returns the words for an option; `nil` if it does not name a store.
  subscript(option: CommandOption) -> [String]? {
    guard Self.all.contains(where: { $0.name == option.name }) else { return nil }
    return words(of: option.name)
  }

  private func words(of option: String) -> [String] {
    given.first { $0.option == option }?.words ?? []
  }

  // MARK: - Options

  /// The options that name a store, those aside that any other call can have otherwise.
  private static let all =
    (ConnectionOptions.options + SchemaOptions.options + ModelOptions.options
    + MappingOptions.options).filter { option in
      !option.isOfPlan
        && !["wait", CommandOption.scratch.name, CommandOption.keepScratch.name]
          .contains(option.name)
    }

  /// Returns the values of an option, also those of its variable: another shell may not have it.
  private static func values(of option: CommandOption, _ options: OptionValues) -> [String] {
    switch option.name {
    case CommandOption.database.name:
      // Who has the variable with the URL has its password as well.
      options[option].flatMap { ConnectionSource.url($0).textWithoutSecrets }.map { [$0] } ?? []
    case CommandOption.schema.name where options.has(.eachSchema): []
    case _: options.settings(option).map(\.text)
    }
  }

  // MARK: - One store of many

  /// Returns the options of one store of many.
  func of(_ target: MigrationTarget) -> StoreOptions {
    var options = of(target.schema)
    options.needsSchema = false
    if needsDatabase, let url = target.database.textWithoutSecrets {
      options.needsDatabase = false
      options.given.removeAll { $0.option == CommandOption.database.name }
      options.add(.database, [url])
    }
    return options
  }

  /// Returns the options of the store in a schema.
  func of(_ schema: SQLIdentifier?) -> StoreOptions {
    guard needsSchema, let schema else { return self }
    var options = self
    options.needsSchema = false
    options.given.removeAll { $0.option == CommandOption.schema.name }
    options.add(.schema, [schema.name])
    return options
  }

  // MARK: - Calls

  /// Returns a call with those options that its verb takes; `nil` if they do not name one store.
  func completing(_ call: CommandCall) -> CommandCall? {
    var command: any ParsableCommand.Type = RemodelCommand.self
    for word in call.verb.split(separator: " ") {
      let verb = command.configuration.subcommands.first {
        $0.configuration.commandName.map { $0 == word } ?? false
      }
      guard let verb else { return call }
      command = verb
    }
    guard let verb = command as? any OptionTaking.Type else { return call }
    let taken = verb.optionNames
    if needsSchema, taken.contains(CommandOption.schema.name) { return nil }
    if needsDatabase, taken.contains(CommandOption.database.name) { return nil }
    let added = given.filter { given in
      taken.contains(given.option)
        && !call.options.contains {
          $0 == "--\(given.option)" || $0.hasPrefix("--\(given.option)=")
        }
    }
    var call = call
    call.options = added.flatMap(\.words) + call.options
    return call
  }

  /// Returns what a sentence says for a call: the completed one, or words where none names the store.
  func phrase(_ call: CommandCall) -> String {
    completing(call).map { "\"\($0.text)\"" } ?? call.wordsForOneStore
  }
}

/// A command that has options.
protocol OptionTaking {
  static var optionNames: Set<String> { get }
}

extension CommandCall {
  /// Words for a call that cannot name its store: nobody is to run it as it is.
  var wordsForOneStore: String { "\(arguments) for this store" }
}

extension Diagnostic {
  /// The diagnostic with the options of the store in the calls that it advises.
  var completed: Diagnostic {
    var copy = self
    copy.detail = detailSentences?.text(StoreOptions.current.phrase)
    copy.hint = hintSentences?.text(StoreOptions.current.phrase)
    return copy
  }
}

extension StatusReport {
  /// The call that leads on from here, with the options of the store; `nil` if there is none.
  var completeNextCommand: String? { nextCall.flatMap(StoreOptions.current.completing)?.text }
}
