package import MigrationPlanning
internal import SQLSyntax

/// Compares a catalog with the objects of a version.
///
/// Recorded definitions are compared as text. The model's own requirements apply as well, so that
/// an object that was already wrong when it was recorded is found.
package struct DriftComparison {
  /// The result of a comparison.
  package struct Result: Hashable, Sendable {
    /// The differences, table by table.
    package var drifts: [Drift] = []
    /// The objects that deferred work will still change.
    package var pending: [CatalogObject] = []
    /// How many objects there are that no definition was recorded of.
    package var unrecordedCount = 0
  }

  let projection: ModelProjection
  let recorded: RecordedDefinitions?
  let live: LiveCatalog
  private let retained: [RetainedObject]
  private let pending: Set<CatalogObject>
  private let unexpressed: Set<CatalogObject>
  private let expectations: [CatalogObject: ObjectExpectation]

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - projection: The recorded version.
  ///   - recorded: The definitions recorded when the store reached it; `nil` if there are none.
  ///   - live: The catalog.
  ///   - retained: The retained objects.
  ///   - pending: The deferred work.
  ///   - unexpressed: The objects that existed when the store was adopted and that no model can
  ///     describe.
  package init(
    of projection: ModelProjection,
    recorded: RecordedDefinitions?,
    live: LiveCatalog,
    retained: [RetainedObject] = [],
    pending: Set<CatalogObject> = [],
    unexpressed: Set<CatalogObject> = []
  ) {
    self.projection = projection
    self.recorded = recorded.map {
      RecordedDefinitions(
        serverMajor: $0.serverMajor,
        objects: $0.objects.keepingStorage(of: projection.schema)
          .comparable(live.kinds, in: projection.schema)
          .withDistributions(nil, of: projection.schema)
      )
    }
    var live = live
    live.objects = live.objects.keepingStorage(of: projection.schema)
      .comparable(live.kinds, in: projection.schema)
      .withDistributions(live.kinds, of: projection.schema)
    self.live = live
    self.retained = retained
    self.pending = pending
    self.unexpressed = unexpressed
    expectations = ObjectExpectation.all(of: projection.schema)
  }

  /// Compares.
  package func result() -> Result {
    let remedies = DriftRemedies(projection, live)
    guard live.hasSchema else {
      return Result(drifts: [remedies.missingSchema()])
    }
    var result = Result()
    var missing: [CatalogObject] = []
    var changed: [(object: CatalogObject, facets: Set<ObjectDefinition.Facet>)] = []
    for object in expectations.keys.sorted() {
      if object.kind != .table, isMissing(object.table) { continue }
      if recorded?.objects[object] == nil { result.unrecordedCount += 1 }
      guard let found = live.objects[object] else {
        if pending.contains(object) {
          result.pending.append(object)
        } else {
          missing.append(object)
        }
        continue
      }
      let facets = facetsChanged(object, found)
      if facets.isEmpty { continue }
      if pending.contains(object), facets.allSatisfy(\.isPendingWork) {
        result.pending.append(object)
      } else {
        changed.append((object, facets))
      }
    }
    var extra = live.objects.keys.filter(isExtra).sorted()
    var names = successorNames
    for object in missing {
      let expected = expected(object)
      if let successor = successor(of: object, among: extra, missing) {
        extra.removeAll { $0 == successor }
        names.append((successor.name, object.name))
        result.drifts.append(remedies.renamed(object, to: successor.name, expected))
      } else {
        result.drifts.append(remedies.missing(object, expected))
      }
    }
    for (object, facets) in changed where !isExplained(object, facets, by: names) {
      guard let found = live.objects[object] else { continue }
      result.drifts.append(remedies.changed(object, facets, expected(object), found))
    }
    result.pending += extra.filter(pending.contains)
    for object in extra where !pending.contains(object) {
      guard let found = live.objects[object] else { continue }
      result.drifts.append(remedies.extra(object, found))
    }
    result.drifts += lostRetained.map(remedies.lost)
    result.drifts.sort { ($0.object, $0.change.rawValue) < ($1.object, $1.change.rawValue) }
    return result
  }

  private func isMissing(_ table: String) -> Bool {
    live.objects[CatalogObject(.table, table: table)] == nil
  }

  // MARK: - Definitions

  /// The expected definition of an object: the recorded one, unless the model has a newer one.
  private func expected(_ object: CatalogObject) -> DriftRemedies.Expected {
    let expectation = expectations[object]
    guard let definition = recorded?.objects[object],
      expectation?.facetsMissed(by: definition).isEmpty ?? true
    else { return DriftRemedies.Expected(definition: nil, sql: expectation?.sql() ?? "") }
    return DriftRemedies.Expected(definition: definition, sql: expectation?.sql() ?? "")
  }

  private func facetsChanged(
    _ object: CatalogObject,
    _ found: ObjectDefinition
  ) -> Set<ObjectDefinition.Facet> {
    let isUnexpressed = unexpressed.contains(object)
    var changed = expectations[object]?.facetsMissed(by: found) ?? []
    // For an object that no model can describe, only the record has the expected definition.
    if isUnexpressed { changed = changed.filter { !$0.isOutsideModels(of: object.kind) } }
    // Nearly every object is as it was recorded.
    guard let recorded, let before = recorded.objects[object], before != found else {
      return changed
    }
    let requirements = expectations[object]?.requirements ?? [:]
    let isTrusted = expectations[object]?.facetsMissed(by: before).isEmpty ?? true
    for facet in before.facets.keys where !facet.isNoted && found.knows(facet) {
      let isJudged = !isUnexpressed || !facet.isOutsideModels(of: object.kind)
      switch isJudged ? requirements[facet] : nil {
      case .exactly: continue
      // An object that was missing when it was recorded is expected nevertheless.
      case .something where before[facet] == nil: continue
      case .something, nil: break
      }
      if facet == .definition, !isTrusted { continue }
      // A server of another version names these by itself, or not at all.
      if facet == .notNullConstraint, before[facet] == nil || found[facet] == nil { continue }
      let isSame =
        facet.isDeparsed && recorded.serverMajor != live.serverMajor
        ? before[facet].map(Self.loosened) == found[facet].map(Self.loosened)
        : before[facet] == found[facet]
      if !isSame { changed.insert(facet) }
    }
    return changed
  }

  /// Normalizes an expression that servers of different versions deparse differently.
  private static func loosened(_ text: String) -> String {
    String(text.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" })
  }

  // MARK: - Other objects

  private func isExtra(_ object: CatalogObject) -> Bool {
    guard expectations[object] == nil, object.kind != .table, !unexpressed.contains(object),
      projection.schema.tables[SQLIdentifier(object.table)] != nil
    else { return false }
    return !retained.contains { known in
      switch object.kind {
      case .column:
        known.table.name == object.table && known.column?.name == object.name
      case .index, .sequence: known.relationNames.contains { $0.name == object.name }
      case .schema, .metadata, .table, .constraint, .trigger, .function, .rule, .policy, .child,
        .view:
        false
      }
    }
  }

  /// The recorded retained objects that are missing.
  private var lostRetained: [CatalogObject] {
    let tables = Set(retained.filter { $0.column == nil }.map(\.table.name))
    return retained.compactMap { object in
      let table = CatalogObject(.table, table: object.table.name)
      guard let column = object.column else { return live.objects[table] == nil ? table : nil }
      guard !tables.contains(object.table.name), live.objects[table] != nil else { return nil }
      let address = CatalogObject(.column, table: object.table.name, name: column.name)
      return live.objects[address] == nil ? address : nil
    }
  }

  // MARK: - Names

  /// Returns the new name of a missing object: that of the only object with the same definition.
  private func successor(
    of object: CatalogObject,
    among extra: [CatalogObject],
    _ missing: [CatalogObject]
  ) -> CatalogObject? {
    func isAlike(_ object: CatalogObject, _ candidate: CatalogObject) -> Bool {
      guard candidate.kind == object.kind, candidate.table == object.table,
        let before = recorded?.objects[object], let found = live.objects[candidate]
      else { return false }
      return before.facets.allSatisfy { facet, text in
        if facet.isNoted || facet == .notNullConstraint || !found.knows(facet) { return true }
        let named = found[facet]?.replacingScalars(candidate.name, with: object.name)
        return named.map { successorNames.restored(in: $0) } == text
      }
    }
    let candidates = extra.filter { isAlike(object, $0) }
    guard candidates.count == 1, let candidate = candidates.first else { return nil }
    // With two candidates, the new name is unknown.
    let isOnly = missing.filter { isAlike($0, candidate) } == [object]
    return isOnly ? candidate : nil
  }

  private var successorNames: [(now: String, before: String)] {
    live.successors.flatMap { table, successor in
      let before = QualifiedName(schema: projection.schema.name, name: SQLIdentifier(table))
      return [(successor.description, before.description), (successor.quoted, before.quoted)]
    }
  }

  /// Returns whether an object differs only in renamed names.
  private func isExplained(
    _ object: CatalogObject,
    _ facets: Set<ObjectDefinition.Facet>,
    by names: [(now: String, before: String)]
  ) -> Bool {
    guard !names.isEmpty, let found = live.objects[object] else { return false }
    var restored = found
    for facet in facets {
      guard let text = found[facet] else { return false }
      restored.facets[facet] = names.restored(in: text)
    }
    return facetsChanged(object, restored).isEmpty
  }
}

extension [(now: String, before: String)] {
  /// Returns a text with the names of old.
  fileprivate func restored(in text: String) -> String {
    reduce(text) { $0.replacingScalars($1.now, with: $1.before) }
  }
}

extension ObjectDefinition.Facet {
  /// A Boolean value that indicates whether it may differ while work is to be done.
  fileprivate var isPendingWork: Bool {
    self == .validity || self == .nullability || self == .notNullConstraint
  }
}
