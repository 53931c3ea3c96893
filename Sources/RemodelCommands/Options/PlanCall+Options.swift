import ArgumentParser
import RemodelKit

extension OptionValues {
  /// Returns what the calls after a plan have to repeat of this one; `nil` if they cannot have the same
  /// database.
  ///
  /// - Parameters:
  ///   - verb: The verb that carries the plan out.
  ///   - formats: The forms that the plan can have.
  /// - Returns: The call.
  /// - Throws: The fault of the options.
  func planCall(_ verb: (some Verb).Type, among formats: [OutputFormat]) throws -> PlanCall? {
    guard throwawayOption == nil, !has(.intoDatabase) else { return nil }
    let ofVerb = names(verb.options + verb.sections.flatMap { $0.options })
    let ofStore = names(
      [ConnectionOptions.options, SchemaOptions.options, ModelOptions.options]
        .flatMap(\.self) + MappingOptions.options
    )
    var call = PlanCall()
    call.verb = verb.configuration.commandName ?? call.verb
    // The URL may have a password.
    call.namesDatabase = has(.database)
    for option in options
    where ofVerb.contains(option.name)
      && ![CommandOption.database, .dryRun].map(\.name).contains(option.name)
    {
      let words = words(of: option)
      if option.isOfPlan {
        call.planOptions += words
      } else if ofStore.contains(option.name) {
        call.storeOptions += words
      } else {
        call.options += words
      }
    }
    if try format(among: formats).name == OutputFormat.json.name { call.file = self[.output] }
    return call
  }

  private func names(_ options: [CommandOption]) -> Set<String> { Set(options.map(\.name)) }

  private func words(of option: CommandOption) -> [String] {
    switch option.kind {
    case .flag: has(option) ? [option.typed] : []
    case .value, .list: all(option).flatMap { PlanCall.words(option.typed, $0) }
    case .operand, .requiredOperand: []
    }
  }
}

extension PlanReport {
  /// Returns the plan with the call that has asked for it.
  func called(_ call: PlanCall?) -> PlanReport {
    var report = self
    report.call = call
    return report
  }
}
