internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The names in SQL of models and mapping models that must exist before steps run.
struct WrittenNames {
  private struct Use {
    let reference: WrittenReference
    let owner: String
    let location: SourceLocation?
  }

  private var uses: [Use] = []
  /// The statements that may have created objects before, in lowercase.
  private var makers = ""
  /// Whether any objects may have been created at this point.
  private var isAnythingMade = false
  /// The names of the objects that the steps themselves create.
  private var madeNames: Set<SQLIdentifier> = []
  private var madeSchemas: Set<SQLIdentifier> = ["pg_temp"]

  init(of steps: [MigrationStep], _ catalog: VersionCatalog) throws {
    madeSchemas.formUnion([catalog.store.metadataSchema, catalog.store.stagingSchema])
    for step in steps { noteMade(by: step) }
    for step in steps {
      let mappings = try Self.mappings(of: step, catalog)
      // Statements that change rows may use objects created before them.
      for mapping in mappings { add(mapping, where: { $0.isFirst }) }
      try add(step, catalog)
      for mapping in mappings { add(mapping, where: { !$0.isFirst }) }
    }
  }

  /// Returns the reason why the steps cannot run; `nil` if all names exist.
  func refusal(_ connection: borrowing PostgresConnection) throws -> RemodelError? {
    var references: [WrittenReference] = []
    for use in uses where !references.contains(use.reference) { references.append(use.reference) }
    let missing = try NameInspection.missing(among: references, connection)
    let names = uses.compactMap { use -> MissingName? in
      guard let schemas = missing[use.reference] else { return nil }
      return MissingName(
        reference: use.reference,
        owner: use.owner,
        schemas: schemas,
        location: use.location
      )
    }
    return names.isEmpty ? nil : RemodelError(.missingNames(names))
  }

  // MARK: - Objects that steps create

  private mutating func noteMade(by step: MigrationStep) {
    for version in [step.source, step.destination].compactMap(\.self) {
      madeNames.formUnion(version.projection.schema.tables.keys)
    }
    for statement in step.allStatements {
      if let schema = statement.madeSchema { madeSchemas.insert(schema) }
      if !statement.isWritten, statement.sql.text.hasPrefix("CREATE ") {
        madeNames.formUnion(statement.sql.identifiers)
      }
    }
  }

  // MARK: - What is named

  private mutating func add(_ step: MigrationStep, _ catalog: VersionCatalog) throws {
    let model = step.destination.projection.model
    // SQL of the source existed together with the objects that it names.
    let known = Set((step.source?.projection.model.writtenSQL ?? []).map(\.text))
    let version = catalog.knownVersions.first { $0.name == step.destination.name }
    let locations = try version.flatMap { try catalog.load($0).locations }
    for piece in model.writtenSQL where !known.contains(piece.text) {
      let references: [WrittenReference] =
        switch piece.form {
        case .expression: WrittenReference.all(in: piece.text)
        case .type: WrittenReference.all(inType: piece.text)
        }
      add(
        references,
        "\(piece.role) of \(model.phrase(for: piece.element))",
        locations?.location(of: piece.element)
      )
    }
  }

  private mutating func add(_ mapping: LoadedMapping, where isMeant: (MappingElement) -> Bool) {
    for piece in mapping.mappingModel.writtenSQL where isMeant(piece.element) {
      let owner = mapping.mappingModel.phrase(for: piece.element)
      func add(_ references: [WrittenReference]) {
        for reference in references {
          let place = mapping.locations.location(of: .name(reference.spelling), in: piece.element)
          self.add([reference], owner, place)
        }
      }
      guard piece.isStatements else {
        add(WrittenReference.all(in: piece.text))
        continue
      }
      let written = WrittenSQL(piece.text)
      for (word, statement) in zip(written.firstWords, written.statements) {
        if Self.queryWords.contains(word) {
          let references = WrittenReference.all(in: statement)
          add(references)
          // A query run for its effects may create objects.
          if word == "SELECT", piece.element.isRunForEffect,
            references.contains(where: { $0.kind == .function && $0.schema != nil })
          {
            isAnythingMade = true
          }
        } else if Self.openWords.contains(word) || statement.lowercased().contains("extension") {
          isAnythingMade = true
        } else {
          makers += statement.lowercased()
        }
      }
    }
  }

  private mutating func add(
    _ references: [WrittenReference],
    _ owner: String,
    _ location: SourceLocation?
  ) {
    guard !isAnythingMade else { return }
    for reference in references {
      if let schema = reference.schema, madeSchemas.contains(schema) { continue }
      if madeNames.contains(reference.name) { continue }
      if makers.contains(reference.name.name.lowercased()) { continue }
      uses.append(Use(reference: reference, owner: owner, location: location))
    }
  }

  private static func mappings(
    of step: MigrationStep,
    _ catalog: VersionCatalog
  ) throws -> [LoadedMapping] {
    guard step.isAuthored, let source = step.source else { return [] }
    let mappings = try MappingCatalog(catalog)
    let names = [source.name] + step.passedVersions + [step.destination.name]
    return try zip(names, names.dropFirst()).flatMap { before, after in
      mappings.hasMappings(from: before, to: after)
        ? try mappings.mappings(from: before, to: after) : []
    }
  }

  /// The first words of statements that the server looks into before it runs them.
  private static let queryWords: Set<String> = [
    "SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "MERGE", "VALUES", "",
  ]
  /// The first words of statements after which anything may be there, or be found without its schema.
  private static let openWords: Set<String> = ["CALL", "DO", "EXECUTE", "IMPORT", "RESET", "SET"]
}

extension MappingElement {
  /// A Boolean value that indicates whether the SQL runs before anything of the migration.
  fileprivate var isFirst: Bool {
    switch self {
    case .before, .stage(_, .begin): true
    case .mappingModel, .after, .entityMapping, .source, .destination, .condition, .distinct,
      .distinctKey, .distinctOrder, .forEach, .attributeMapping, .relationshipMapping, .policy,
      .stage, .dependency:
      false
    }
  }

  /// A Boolean value that indicates whether a query there runs for its effects.
  fileprivate var isRunForEffect: Bool {
    switch self {
    case .before, .after: true
    case .stage(_, let stage): stage != .validate
    case .mappingModel, .entityMapping, .source, .destination, .condition, .distinct,
      .distinctKey, .distinctOrder, .forEach, .attributeMapping, .relationshipMapping, .policy,
      .dependency:
      false
    }
  }
}
