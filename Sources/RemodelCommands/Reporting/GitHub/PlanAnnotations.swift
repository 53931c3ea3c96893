import RemodelKit

extension OutputFormat {
  /// Annotations of the model files, for a workflow of GitHub.
  static let github = OutputFormat("github", suffixes: [], of: PlanReport.self) {
    $0.annotations.text(in: Workspace(.process))
  }
}

extension PlanReport {
  /// The plan in annotations of the model files; of each kind, the gravest first.
  var annotations: [WorkflowCommand] {
    let losses = Dictionary(grouping: decision.losses, by: \.statement)
    let statements = plan.steps.indices.flatMap { annotations(ofStep: $0, losses) }
    return [[overview], refusals, rows, Self.sorted(statements), cautions].flatMap(\.self)
  }

  private var place: SourceLocation? {
    plan.steps.last.flatMap { places.location(of: $0.destination) }
  }

  private var overview: WorkflowCommand {
    var lines = [versionNames(source?.name, target.name)] + verdict.lines
    if !plan.steps.isEmpty {
      lines += summary.filter { ["readers", "writers", "time"].contains($0.label) }
        .map { "\($0.label): \($0.text)" }
      lines.append("digest \(plan.digest)")
    }
    return WorkflowCommand(kind: .notice, title: "Migration plan", lines: lines, location: place)
  }

  private var refusals: [WorkflowCommand] {
    (refusal?.diagnostics ?? []).map {
      WorkflowCommand($0.asError, title: "Refused", at: place)
    }
  }

  private var cautions: [WorkflowCommand] {
    (warnings + (rehearsal?.diagnostics ?? [])).map {
      WorkflowCommand($0, title: "Warning", at: place)
    }
  }

  // MARK: - Rows

  private var rows: [WorkflowCommand] {
    plan.steps.flatMap { step in
      let causes = StepCauses(of: step)
      return step.preconditions.compactMap { precondition in
        let location = places.location(of: causes.cause(of: precondition), in: step)
        return annotation(of: precondition, at: location)
      }
    }
  }

  private func annotation(
    of precondition: PlannedPrecondition,
    at location: SourceLocation?
  ) -> WorkflowCommand? {
    switch finding(of: precondition)?.count {
    case 0: nil
    case nil:
      WorkflowCommand(
        kind: .notice,
        title: "Row check",
        lines: ["not checked yet: \(precondition.requirement)"],
        location: location
      )
    case let count?:
      WorkflowCommand(
        kind: .error,
        title: "The rows do not allow it",
        lines: [
          "\(precondition.requirement): \(counted(count, "row")) in the way",
          "What to do: \(precondition.remedy)",
        ],
        location: location
      )
    }
  }

  // MARK: - Statements

  /// What is to be known of statements, the gravest first.
  private enum Concern: Int, CaseIterable {
    case loss, unknownEffect, breakage, wait, work

    var hazards: Set<Hazard> {
      switch self {
      case .loss: [.deletesData]
      case .unknownEffect: Set(Hazard.allCases)
      case .breakage: [.breaksPreviousRelease]
      case .wait, .work: [.blocksReads, .blocksWrites, .rewritesTable, .scansTable]
      }
    }

    var kind: WorkflowCommand.Kind { self == .work ? .notice : .warning }

    var title: String {
      switch self {
      case .loss: "Values are lost for good"
      case .unknownEffect: "SQL with unknown effects"
      case .breakage: "Breaks the previous release"
      case .wait: "Others wait"
      case .work: "Locks, reads or rewrites a table"
      }
    }
  }

  /// What is told at one place.
  private struct Note {
    let concern: Concern
    let subject: StepChanges.Subject?
    var causes: [StepCauses.Cause]
    var lines: [String]

    init(_ concern: Concern, _ cause: StepCauses.Cause?, _ line: String) {
      self.concern = concern
      subject = cause?.after
      causes = [cause].compactMap(\.self)
      lines = [line]
    }
  }

  private static func sorted(_ commands: [(Concern, WorkflowCommand)]) -> [WorkflowCommand] {
    Concern.allCases.flatMap { concern in commands.filter { $0.0 == concern }.map(\.1) }
  }

  private func annotations(
    ofStep index: Int,
    _ losses: [StatementReference: [PlanDecision.Loss]]
  ) -> [(Concern, WorkflowCommand)] {
    let step = plan.steps[index]
    let elements = StepCauses(of: step)
    var notes: [Note] = []
    let groups = StatementGroup.groups(of: step, forecast.steps[index], intents(of: step))
    for member in groups.flatMap(\.members) {
      let lost = losses[StatementReference(step: index, statement: member.number - 1)] ?? []
      for found in self.notes(of: member, losing: lost, in: step, elements) {
        let position = notes.firstIndex {
          $0.concern == found.concern && $0.subject == found.subject
        }
        guard let position else {
          notes.append(found)
          continue
        }
        let known = notes[position]
        notes[position].causes += found.causes.filter { !known.causes.contains($0) }
        notes[position].lines += found.lines.filter { !known.lines.contains($0) }
      }
    }
    return notes.map { ($0.concern, annotation(of: $0, in: step)) }
  }

  /// Returns what is to be told of a statement, at each place that it is for.
  private func notes(
    of member: StatementGroup.Member,
    losing losses: [PlanDecision.Loss],
    in step: MigrationStep,
    _ elements: StepCauses
  ) -> [Note] {
    var notes = member.statement.breakages.map { breakage in
      Note(.breakage, elements.cause(of: breakage), "\(breakage)")
    }
    for concern in concerns(of: member, isLosing: !losses.isEmpty) {
      var causes = elements.causes(of: member.statement, for: concern.hazards)
      if concern == .wait || concern == .work { causes = Self.wholeTables(of: causes) }
      let lines =
        concern == .loss
        ? losses.map { "\(member.statement.reason): \($0.text)" }
        : [line(about: concern, of: member, in: step)]
      for line in lines {
        notes +=
          causes.isEmpty ? [Note(concern, nil, line)] : causes.map { Note(concern, $0, line) }
      }
    }
    return notes
  }

  /// Returns the entities of several properties: their table waits once.
  private static func wholeTables(of causes: [StepCauses.Cause]) -> [StepCauses.Cause] {
    guard causes.count > 1 else { return causes }
    var entities: [StepCauses.Cause] = []
    for cause in causes {
      var entity = cause
      entity.before?.propertyName = nil
      entity.after?.propertyName = nil
      if !entities.contains(where: { $0.after == entity.after }) { entities.append(entity) }
    }
    return entities
  }

  private func annotation(of note: Note, in step: MigrationStep) -> WorkflowCommand {
    // The version before has what this one has no longer.
    let removed = note.causes.filter { $0.before?.propertyName != nil || $0.after == nil }
      .filter { $0.after?.propertyName == nil }
    return WorkflowCommand(
      kind: note.concern.kind,
      title: note.concern.title,
      lines: note.lines,
      location: places.location(of: note.causes.first, in: step),
      formerLocations: removed.compactMap { places.formerLocation(of: $0, in: step) }
    )
  }

  private func concerns(of member: StatementGroup.Member, isLosing: Bool) -> [Concern] {
    if member.statement.hasUnknownEffect { return [.unknownEffect] }
    let hazards = Set(member.forecast.hazards)
    var concerns: [Concern] = []
    if isLosing { concerns.append(.loss) }
    if !hazards.isDisjoint(with: Concern.wait.hazards) {
      concerns.append((member.forecast.seconds ?? 0) > 1 ? .wait : .work)
    }
    return concerns
  }

  private func line(
    about concern: Concern,
    of member: StatementGroup.Member,
    in step: MigrationStep
  ) -> String {
    let reason = member.statement.reason
    switch concern {
    case .loss, .unknownEffect, .breakage: return reason
    case .wait, .work:
      let isMeasured = member.forecast.seconds != nil
      let told = ["locks", "rewrites", "scans"] + (isMeasured ? ["takes"] : [])
      let facts = facts(of: member, in: step).filter { told.contains($0.label) }
        .map { "\($0.label) \($0.text)" }
      return "\(reason): \(facts.joined(separator: "; "))"
    }
  }
}
