internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

extension MetadataStatements {
  private var creations: QualifiedName {
    MetadataSchema(name: store.metadataSchema).relation("store_creation")
  }

  private var isThisStore: SQLFragment {
    """
    schema_name = \(SQLLiteral.text(store.schema.name)) \
    AND model_name = \(SQLLiteral.text(store.modelName))
    """
  }

  /// One row if the store is being created.
  var creation: SQLFragment {
    """
    SELECT configuration, version_name, checksum, layout_digest, layout_rules, model, plan_digest, \
    done, total FROM \(creations) WHERE \(isThisStore)
    """
  }

  /// Records that a creation is as far as a statement.
  ///
  /// - Parameters:
  ///   - step: The step that creates the store.
  ///   - done: How many of its statements are done.
  ///   - archive: The model, which the first record keeps.
  /// - Returns: The statement.
  func progress(of step: MigrationStep, done: Int, archive: String) -> SQLFragment {
    let count = SQLLiteral.integer(Int64(done))
    guard step.transactions.first?.upperBound == done, step.transactions.first?.lowerBound == 0
    else {
      return "UPDATE \(creations) SET done = \(count), updated_at = now() WHERE \(isThisStore)"
    }
    let hashes = step.destination.hashes
    let values: [SQLLiteral] = [
      .text(store.schema.name), .text(store.modelName),
      store.configurationName.map { .text($0) } ?? .null, .text(step.destination.name),
      .text(hashes.checksum.text), .text(hashes.layoutDigest.text),
      .integer(Int64(ModelProjection.layoutRules)), .text(archive), .text(step.digest), count,
      .integer(Int64(step.statements.count)), .text(toolVersion),
    ]
    let list = values.map { "\($0)" as SQLFragment }.joined(separator: ", ")
    return """
      INSERT INTO \(creations) (schema_name, model_name, configuration, version_name, checksum, \
      layout_digest, layout_rules, model, plan_digest, done, total, tool_version) VALUES (\(list))
      """
  }

  /// Removes the record of a creation, which has come to its end.
  var creationEnd: SQLFragment { "DELETE FROM \(creations) WHERE \(isThisStore)" }

  /// The condition that the creation is as far as a statement.
  func isCreated(_ step: MigrationStep, upTo done: Int) -> SQLFragment {
    """
    EXISTS (SELECT FROM \(creations) WHERE \(isThisStore) \
    AND done = \(SQLLiteral.integer(Int64(done))) AND plan_digest = \(SQLLiteral.text(step.digest)))
    """
  }
}
