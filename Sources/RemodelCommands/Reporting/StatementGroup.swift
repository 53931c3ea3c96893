import RemodelKit

/// Statements that follow one another and are for the same entity.
struct StatementGroup {
  /// One statement with its cost.
  struct Member {
    /// Its place among all statements of the step, from 1 on.
    let number: Int
    let statement: PlannedStatement
    let forecast: StatementForecast
  }

  /// What they are for.
  let intent: StepIntents.Intent
  /// A Boolean value that indicates whether earlier statements are for the same.
  let isContinued: Bool
  /// The phase of the step that they are in.
  let phase: MigrationPhase
  var members: [Member]

  /// Returns what the statements are for, in a line.
  func title(arrow: String = "->") -> String {
    guard let summary = intent.summary(arrow: arrow), let name = intent.entityName else {
      return "for the step as a whole"
    }
    return isContinued ? "\(name), continued" : summary
  }

  /// Returns the statements of a step in their order.
  static func groups(
    of step: MigrationStep,
    _ forecast: StepForecast,
    _ intents: StepIntents
  ) -> [StatementGroup] {
    var groups: [StatementGroup] = []
    var seen: Set<Int> = []
    var last: Int?
    for (index, statement) in step.allStatements.enumerated() {
      guard forecast.statements.indices.contains(index) else { break }
      let member = Member(
        number: index + 1,
        statement: statement,
        forecast: forecast.statements[index]
      )
      let intent = intents.intentOfStatement[index]
      if last == intent, groups.last?.phase == statement.phase {
        groups[groups.count - 1].members.append(member)
      } else {
        groups.append(
          StatementGroup(
            intent: intents.intents[intent],
            isContinued: !seen.insert(intent).inserted,
            phase: statement.phase,
            members: [member]
          )
        )
      }
      last = intent
    }
    return groups
  }
}

extension PlanReport {
  /// Returns what a step changes for people.
  func intents(of step: MigrationStep) -> StepIntents { StepIntents(of: step, sizes: sizes) }
}

extension StepChanges {
  /// Returns the purpose of a statement, in a line: the changes of the model, or its parts.
  func title(of statement: PlannedStatement) -> String? {
    let changes = changes(of: statement)
    // The change of a name implies that of the renaming identifier.
    let telling = changes.filter { $0.kind != .renamingIdentifierChanged }
    let texts =
      changes.isEmpty
      ? subjects(of: statement).map(\.description)
      : (telling.isEmpty ? changes : telling).map(\.description)
    guard !texts.isEmpty else { return nil }
    let shown = texts.prefix(3).joined(separator: "; ")
    return texts.count > 3 ? "\(shown); and \(texts.count - 3) more" : shown
  }
}
