internal import ModelMapping
internal import SQLSyntax

/// The copy that a mapping requires: the rows and their queries, with all authored SQL; the
/// strategy is decided later.
///
/// It is compiled in passes, each of which only reads the results of those before: the rows of each
/// entity mapping, the maps of their keys, the queries of each table, authored SQL.
struct CompiledCopy {
  let mapped: MappedSource
  let keyMaps: KeyMaps
  let tables: [CopiedTable]
  let written: WrittenStages
  /// The questions about the rows before anything is copied.
  let questions: [PlannedPrecondition]
  /// The operations that number links once all exist.
  let numbering: [MigrationOperation]
  let notes: CopyNotes
  private let keyStartsOfWritten: [PlannedStatement]

  var request: CopyRequest { mapped.request }

  /// Compiles a copy; where no table is copied it is people's SQL alone.
  ///
  /// - Throws: Everything in the mapping that cannot be carried out.
  init(_ request: CopyRequest) throws(PlanningError) {
    mapped = MappedSource(request)
    keyMaps = KeyMaps(of: mapped)
    let compiler = TableCompiler(of: mapped)
    tables = compiler.tables
    questions = compiler.questions
    numbering = compiler.numbering
    keyStartsOfWritten = compiler.keyStarts
    written = WrittenStages(of: mapped)
    var notes = mapped.notes
    for other in [keyMaps.notes, compiler.notes, written.notes] { notes.add(other) }
    self.notes = notes
    guard notes.faults.isEmpty else { throw PlanningError(fact: .unmappable(notes.faults)) }
  }

  /// The statements that create the maps of keys.
  var preparation: [PlannedStatement] {
    guard request.isBeside else { return keyMaps.preparation }
    let schema = request.mapSchema
    let creation = PlannedStatement(
      sql: "CREATE SCHEMA \(schema)",
      reason: "create schema \"\(schema)\" for the maps of keys",
      madeSchema: schema
    )
    // No key that the source has given is given again beside it.
    return (hasMaps ? [creation] : []) + keyMaps.preparation
      + tables.compactMap { mapped.keyStart(of: $0.name) }
  }

  /// The statements that run once when all maps are filled.
  var keyStarts: [PlannedStatement] { request.isBeside ? [] : keyStartsOfWritten }

  /// Returns which tables of the source others than their own heirs are computed from.
  ///
  /// - Parameter heirs: The copied tables that take the places of tables of the source.
  /// - Returns: A table of the destination for each.
  func movedTables(heirs: [SQLIdentifier: SQLIdentifier]) -> [SQLIdentifier: SQLIdentifier] {
    var moved: [SQLIdentifier: SQLIdentifier] = [:]
    for table in tables {
      let read =
        table.feeds.compactMap { mapped[$0.mappingName]?.table } + table.dependencies.map(\.source)
      for source in read where heirs[source] != table.name { moved[source] = table.name }
    }
    return moved
  }

  var hasMaps: Bool {
    !keyMaps.maps.isEmpty || !keyMaps.writtenMaps.isEmpty || !keyMaps.rowPolicies.isEmpty
  }
}
