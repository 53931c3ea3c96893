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
    let ofStore = StoreOptions(self)
    var call = PlanCall()
    call.verb = verb.configuration.commandName ?? call.verb
    for option in options
    where ofVerb.contains(option.name) && option.name != CommandOption.dryRun.name {
      if let words = ofStore[option] {
        call.storeOptions += words
      } else if option.isOfPlan {
        call.planOptions += words(of: option)
      } else {
        call.options += words(of: option)
      }
    }
    if try format(among: formats).name == OutputFormat.json.name { call.file = self[.output] }
    return call
  }

  private func names(_ options: [CommandOption]) -> Set<String> { Set(options.map(\.name)) }

  private static let ofPlace = Set((LogOptions.options + MetricsOptions.options).map(\.name))

  /// Returns the words for an option, also where a variable gives it, which another shell may not have.
  private func words(of option: CommandOption) -> [String] {
    switch option.kind {
    case .flag: has(option) ? [option.typed] : []
    case .value, .list:
      settings(option).filter { setting in
        // Logs and metrics are for the place where a call runs.
        guard case .variable = setting.source else { return true }
        return !Self.ofPlace.contains(option.name)
      }.flatMap { PlanCall.words(option.typed, $0.text) }
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
