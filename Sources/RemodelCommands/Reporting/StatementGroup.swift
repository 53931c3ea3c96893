import RemodelKit

/// Statements that follow one another and are for the same changes of the model.
struct StatementGroup {
  /// One statement with its cost.
  struct Member {
    /// Its place among all statements of the step, from 1 on.
    let number: Int
    let statement: PlannedStatement
    let forecast: StatementForecast
  }

  /// The purpose of the statements, in terms of the model; `nil` if they are for no part of it.
  let title: String?
  /// The phase of the step that they are in.
  let phase: MigrationPhase
  var members: [Member]

  /// Returns the statements of a step in their order.
  static func groups(of step: MigrationStep, _ forecast: StepForecast) -> [StatementGroup] {
    let changes = StepChanges(of: step)
    var groups: [StatementGroup] = []
    for (index, statement) in step.allStatements.enumerated() {
      guard forecast.statements.indices.contains(index) else { break }
      let phase = statement.phase
      let title = changes.title(of: statement)
      let member = Member(
        number: index + 1,
        statement: statement,
        forecast: forecast.statements[index]
      )
      if let last = groups.last, last.title == title, last.phase == phase {
        groups[groups.count - 1].members.append(member)
      } else {
        groups.append(StatementGroup(title: title, phase: phase, members: [member]))
      }
    }
    return groups
  }
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
