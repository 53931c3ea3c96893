package import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What a step changes for people: each entity with its changes, and the statements that carry them out.
package struct StepIntents: Sendable {
  /// What a step does to an entity and to those that share its table.
  package struct Intent: Hashable, Sendable {
    /// What happens to the rows.
    package enum Work: String, Hashable, Sendable {
      /// They are copied to a table that takes the place of theirs.
      case rebuilt
      /// The server writes all of them again.
      case rewritten
      /// Columns of all of them are written in ranges, while others read and write.
      case filled
      case added
      case removed
      /// The table changes, and the rows stay.
      case changed
      /// Only what belongs to other entities changes.
      case adapted
    }

    /// The entity, by the name that it has afterwards; `nil` for statements that are about no entity.
    package let entityName: String?
    package fileprivate(set) var work: Work
    /// The rows that it had, as estimated; `nil` if that is not known.
    package fileprivate(set) var rows: Int?
    /// The changes of the model, without those that follow from another.
    package fileprivate(set) var changes: [ModelChange] = []
    /// The values that are computed from others.
    package fileprivate(set) var computations: [ValueOrigin] = []
    /// The places of the statements in ``MigrationStep/allStatements``, in their order.
    package fileprivate(set) var statements: [Int] = []
  }

  /// The intents: those of the entities in the order of the changes, then that of the step as a whole.
  package private(set) var intents: [Intent] = []
  /// The intent of each statement.
  package private(set) var intentOfStatement: [Int] = []
  /// The changes of the model that the statements carry out.
  package let subjects: StepChanges

  /// Finds the intents of a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - sizes: The sizes of the tables, by their names before it.
  package init(of step: MigrationStep, sizes: TableSizes) {
    let source = step.source?.projection
    let destination = step.destination.projection
    subjects = StepChanges(of: step)
    let roots = IntentRoots(source?.model, destination.model)
    var numbers: [String: Int] = [:]
    func number(of root: String) -> Int {
      if let number = numbers[root] { return number }
      numbers[root] = intents.count
      intents.append(Intent(entityName: root, work: .changed))
      return intents.count - 1
    }
    for change in subjects.difference.changes {
      intents[number(of: roots.root(of: change.entityName))].changes.append(change)
    }
    let statements = step.allStatements
    var owners: [Int?] = statements.map { statement in
      subjects.subjects(of: statement).first.map { number(of: roots.root(of: $0.entityName)) }
    }
    Self.closeGaps(in: &owners)
    if owners.contains(nil) {
      intents.append(Intent(entityName: nil, work: .adapted))
      let rest = intents.count - 1
      owners = owners.map { $0 ?? rest }
    }
    intentOfStatement = owners.compactMap(\.self)
    for (place, owner) in intentOfStatement.enumerated() { intents[owner].statements.append(place) }
    for index in intents.indices { intents[index].explain(step, statements, sizes) }
  }

  /// A statement about no entity between two that are for the same one is for that one as well.
  private static func closeGaps(in owners: inout [Int?]) {
    var last: (place: Int, owner: Int)?
    for place in owners.indices {
      guard let owner = owners[place] else { continue }
      if let last, last.owner == owner {
        for gap in last.place..<place { owners[gap] = owner }
      }
      last = (place, owner)
    }
  }
}

/// The entities whose tables the others share.
private struct IntentRoots {
  private var roots: [String: String] = [:]

  init(_ source: ManagedObjectModel?, _ destination: ManagedObjectModel) {
    for model in [source, destination].compactMap(\.self) {
      for entity in model.entities { roots[entity.name] = model.root(of: entity).name }
    }
  }

  func root(of name: String) -> String { roots[name] ?? name }
}

extension StepIntents.Intent {
  /// Adds what happens to the rows, and leaves out changes that follow from others.
  fileprivate mutating func explain(
    _ step: MigrationStep,
    _ statements: [PlannedStatement],
    _ sizes: TableSizes
  ) {
    guard let entityName else { return }
    let destination = step.destination.projection
    let table = destination.model.entity(named: entityName).flatMap(destination.table)
    let oldTable =
      table.map(step.formerName(ofTable:))
      ?? step.source.flatMap { source in
        source.projection.model.entity(named: entityName).flatMap(source.projection.table)
      }
    let isOld = oldTable.map { step.source?.projection.schema.tables[$0] != nil } ?? false
    if isOld { rows = oldTable.flatMap { sizes[$0.name]?.rows } }
    let model = destination.model
    let family = model.entity(named: entityName).map(model.family(of:)) ?? []
    computations = ValueOrigin.origins(
      in: step,
      family: Set(changes.map(\.entityName) + family.map(\.name) + [entityName])
    )
    let implied = Set(computations.flatMap(\.impliedChanges))
    let kinds = Set(changes.filter { $0.entityName == entityName }.map(\.kind))
    changes.removeAll { change in
      if change.kind == .renamingIdentifierChanged { return true }
      // What an entity inherits is said of each that has rows.
      let heirs =
        family.first { $0.name == change.entityName }.map(destination.concreteFamily(of:)) ?? []
      return (heirs.isEmpty ? [change.entityName] : heirs).allSatisfy {
        implied.contains(ValueOrigin.Change($0, change.propertyName ?? "", change.kind))
      }
    }
    let rewritten = self.statements.contains { place in
      oldTable.map(statements[place].impact.rewrites.contains) ?? false
    }
    if kinds.contains(.entityAdded) {
      work = .added
    } else if kinds.contains(.entityRemoved) {
      work = .removed
    } else if isOld, let table, step.copy?.tables.contains(where: { $0.name == table }) ?? false {
      work = .rebuilt
    } else if let oldTable, step.copy?.fills.contains(where: { $0.name == oldTable }) ?? false {
      work = .filled
    } else if rewritten {
      work = .rewritten
    } else {
      work = changes.isEmpty && computations.isEmpty ? .adapted : .changed
    }
    if work == .added { changes.removeAll { $0.entityName == entityName } }
    if work == .removed { changes.removeAll { $0.kind == .entityRemoved } }
  }

  /// The most changes that a summary names.
  private static let limit = 6

  /// A line of what happens.
  package struct Item: Hashable, Sendable {
    /// The change of the model; `nil` for the origin of a value.
    package let change: ModelChange?
    /// What happens, in a few words.
    package let text: String
  }

  /// Returns what happens to the entity as a whole; `nil` if the statements are for none.
  ///
  /// - Parameter arrow: The arrow between what was and what will be.
  /// - Returns: The sentence.
  package func headline(arrow: String) -> String? {
    guard let entityName else { return nil }
    let subject = renaming?.phrase(arrow: arrow) ?? entityName
    return switch work {
    case .rebuilt: "\(subject) is rebuilt"
    case .rewritten: "\(subject) is rewritten"
    case .filled: "\(subject) is filled in place"
    case .added: "\(subject) is added"
    case .removed: "\(subject) is removed"
    case .changed: renaming != nil && items(arrow: arrow).isEmpty ? subject : "\(subject) changes"
    case .adapted: "\(subject) itself does not change, but its table does because of other entities"
    }
  }

  /// Returns everything that happens in it, in the order in which people read it.
  ///
  /// - Parameter arrow: The arrow between what was and what will be.
  /// - Returns: The lines.
  package func items(arrow: String) -> [Item] {
    computations.map { origin in
      Item(
        change: nil,
        text: origin.entityName == entityName
          ? origin.phrase : "\(origin.entityName).\(origin.phrase)"
      )
    }
      + changes.filter { $0 != renaming }.map { change in
        Item(
          change: change,
          text: change.entityName == entityName
            ? change.phrase(arrow: arrow) : change.description(arrow: arrow)
        )
      }
  }

  /// The rows that are written or removed, in words; `nil` if none are, or if their number is not known.
  package var rowText: String? {
    guard let rows else { return nil }
    switch work {
    case .rebuilt, .rewritten, .filled, .removed: break
    case .added, .changed, .adapted: return nil
    }
    return "\(Self.grouped(rows)) \(rows == 1 ? "row" : "rows")"
  }

  /// Returns what happens, in a line; `nil` if the statements are for no entity.
  ///
  /// - Parameter arrow: The arrow between what was and what will be.
  /// - Returns: The sentence.
  package func summary(arrow: String) -> String? {
    guard let headline = headline(arrow: arrow) else { return nil }
    var parts = [rowText].compactMap(\.self) + items(arrow: arrow).map(\.text)
    if parts.count > Self.limit + 1 {
      parts = parts.prefix(Self.limit) + ["and \(parts.count - Self.limit) more changes"]
    }
    return parts.isEmpty ? headline : "\(headline): \(parts.joined(separator: ", "))"
  }

  private var renaming: ModelChange? {
    changes.first { $0.kind == .entityRenamed && $0.entityName == entityName }
  }

  private static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digits[index])
    }
  }
}
