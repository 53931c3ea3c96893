internal import Diagnostics
internal import MigrationPlanning
internal import ModelMapping
internal import PostgresClient
internal import SQLSyntax

/// Passes rows to a policy in batches, and writes its rows, all in the current transaction.
///
/// A batch is read completely before the policy gets it: a connection cannot read and write rows at
/// once, and no statement runs during the policy's work.
struct RowPolicyRun {
  private let rowPolicy: RowPolicy
  private let policy: any EntityMigrationPolicy
  private let mapping: EntityMapping
  private let runner: TransactionRunner
  private let part: CopyPart
  /// The rows of other mappings that the policy creates through the manager.
  private let others: [RowPolicy]

  /// The limits of memory use.
  struct Limits {
    var rows = 200
    var mostRows = 2000
    var bytes = 2_000_000
  }

  /// Finds the policy in code that creates the rows.
  init(
    _ rowPolicy: RowPolicy,
    of step: MigrationStep,
    _ policies: [String: any EntityMigrationPolicy],
    _ runner: TransactionRunner
  ) throws {
    guard let policy = policies[rowPolicy.policyClassName],
      let mapping = step.mappingModel?.entityMappings.first(where: {
        $0.name == rowPolicy.mappingName
      })
    else {
      throw ExecutionError(
        .policyFailed(
          .notRegistered,
          mapping: rowPolicy.mappingName,
          policy: rowPolicy.policyClassName,
          key: nil
        )
      )
    }
    self.rowPolicy = rowPolicy
    self.policy = policy
    self.mapping = mapping
    self.runner = runner
    part = CopyPart(number: 0, rowPolicy)
    others = step.copy?.rowPolicies.filter { $0.creatorName == rowPolicy.mappingName } ?? []
  }

  /// Passes the rows of a range through the policy.
  ///
  /// - Returns: The number of rows that the policy has created.
  func run(
    _ range: CopyChunk,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    let clock = ContinuousClock()
    var limits = Limits()
    var lower = range.lower
    var count = 0
    while true {
      try runner.interruption.check()
      let rest = CopyChunk(number: range.number, lower: lower, upper: range.upper)
      let next = try part.key(of: rest, after: limits.rows, connection)
      let batch = try read(from: lower, to: next ?? range.upper, limits, connection)
      let begin = clock.now
      let made = try instances(of: batch)
      let seconds = begin.duration(to: clock.now).inSeconds
      count += try write(made, of: batch, connection)
      for other in others { count += try writeAssociations(of: other, connection) }
      if let leftOut = batch.leftOut {
        limits.rows = max(1, batch.sources.count)
        lower = leftOut
      } else {
        guard let next else { return count }
        lower = next
        limits.rows = Self.size(limits, after: seconds)
      }
    }
  }

  /// A session that is idle in its transaction for a minute is ended by the server.
  private static func size(_ limits: Limits, after seconds: Double) -> Int {
    if seconds > 2 { return max(1, limits.rows / 4) }
    return seconds < 0.5 ? min(limits.rows * 2, limits.mostRows) : limits.rows
  }

  // MARK: - Reading

  /// Rows that are in memory.
  private struct Batch {
    var sources: [SourceInstance] = []
    /// The keys that the server gives their rows in the destination.
    var units: [String] = []
    var byteCount = 0
    /// The unit of the first row that was too much.
    var leftOut: String?
  }

  private func read(
    from lower: String?,
    to upper: String?,
    _ limits: Limits,
    _ connection: borrowing PostgresConnection
  ) throws -> Batch {
    var batch = Batch()
    let reading = rowPolicy.reading(from: lower, to: upper)
    _ = try runner.telling(of: reading) {
      try connection.copyOut(reading) { row in
        guard batch.leftOut == nil, row.count > 1, let unit = row[0] else { return }
        guard batch.sources.isEmpty || batch.byteCount + row.byteCount <= limits.bytes else {
          batch.leftOut = unit
          return
        }
        batch.byteCount += row.byteCount
        batch.units.append(unit)
        batch.sources.append(
          SourceInstance(
            objectID: row[1] ?? unit,
            rowPolicy.layout,
            texts: (2..<row.count).map { row[$0] },
            position: batch.sources.count
          )
        )
      }
    }
    return batch
  }

  // MARK: - The policy

  private func instances(of batch: Batch) throws -> [DestinationInstance] {
    guard !batch.sources.isEmpty else { return [] }
    let made: [DestinationInstance]
    do {
      made = try instances(of: batch.sources)
    } catch {
      throw failure(error, batch)
    }
    try check(made, batch)
    return made
  }

  /// Returns the rows that the policy creates, with the values of its methods.
  private func instances(of sources: [SourceInstance]) throws -> [DestinationInstance] {
    var made =
      rowPolicy.usesManager
      ? try policy.createDestinationInstances(
        forSource: sources,
        in: mapping,
        manager: runner.manager
      ) : try policy.createDestinationInstances(forSource: sources, in: mapping)
    guard !rowPolicy.calls.isEmpty else { return made }
    for index in made.indices where sources.indices.contains(made[index].position) {
      let source = sources[made[index].position]
      for call in rowPolicy.calls {
        try made[index].set(call, of: source, by: policy.methods)
      }
    }
    return made
  }

  /// Returns the error of the first row for which the policy fails, when it has thrown one for a
  /// batch.
  private func failure(_ error: any Error, _ batch: Batch) -> ExecutionError {
    guard batch.sources.count > 1 else {
      return failed(.threw(words(error)), batch.sources.first?.objectID)
    }
    for source in batch.sources {
      let alone = SourceInstance(objectID: source.objectID, source.layout, texts: source.texts)
      do {
        _ = try instances(of: [alone])
      } catch {
        return failed(.threw(words(error)), source.objectID)
      }
    }
    // It is about all of them together.
    let keys = [batch.sources.first?.objectID, batch.sources.last?.objectID].compactMap(\.self)
    return failed(.threw(words(error)), keys.joined(separator: " to "))
  }

  private func words(_ error: any Error) -> String {
    guard let error = error as? any DiagnosticError else { return "\(error)" }
    return error.diagnostics.map { diagnostic in
      [diagnostic.message, diagnostic.detail, diagnostic.hint].compactMap(\.self)
        .joined(separator: " ")
    }.joined(separator: "\n")
  }

  private func check(_ made: [DestinationInstance], _ batch: Batch) throws {
    var counts = Array(repeating: 0, count: batch.sources.count)
    let required = rowPolicy.layout.destination.properties.enumerated().filter(\.element.isRequired)
    for instance in made {
      guard counts.indices.contains(instance.position) else {
        throw failed(.madeOfOtherRow, nil)
      }
      counts[instance.position] += 1
      let key = batch.sources[instance.position].objectID
      for (position, property) in required where instance.texts[position] == nil {
        throw failed(.lacksValue(property.name), key)
      }
    }
    for (position, count) in counts.enumerated() where !rowPolicy.count.allows(count) {
      throw failed(.madeOtherCount(count, rowPolicy.count), batch.sources[position].objectID)
    }
  }

  // MARK: - Writing

  private func write(
    _ made: [DestinationInstance],
    of batch: Batch,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    guard !made.isEmpty else { return 0 }
    var newKeys: [String?] = []
    if let query = rowPolicy.newKeys(made.count) {
      newKeys = try connection.query(query).map { $0["key"] }
    }
    do {
      return try runner.telling(of: rowPolicy.writing) {
        try connection.copyIn(rowPolicy.writing) { writer in
          for (number, instance) in made.enumerated() {
            let key = batch.sources[instance.position].objectID
            let keys: [String?] =
              switch rowPolicy.keys {
              case .ofUnit: [batch.units[instance.position]]
              case .ofSource: [key, key]
              case .new: [key, newKeys[number]]
              }
            do {
              try writer.write(keys + instance.texts)
            } catch let error as PostgresError where error.kind == .server {
              throw failed(.refused(error), key)
            }
          }
        }
      }
    } catch let error as PostgresError {
      // The server names the line, and that is the row.
      guard error.sqlState.map({ $0.isDataException || $0.isIntegrityViolation }) ?? false,
        let line = error.copiedLine(ofTable: rowPolicy.table.name.name),
        made.indices.contains(line - 1)
      else { throw error }
      throw failed(.refused(error), batch.sources[made[line - 1].position].objectID)
    }
  }

  /// Writes the rows that the policy has created for another mapping, each with the rows of the source
  /// that it is associated with.
  private func writeAssociations(
    of other: RowPolicy,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    let associations = runner.manager.takeAssociations(ofMapping: other.mappingName)
    guard !associations.isEmpty else { return 0 }
    let new = associations.filter(\.isFirst)
    for association in new {
      for (property, text) in zip(other.layout.destination.properties, association.instance.texts)
      where property.isRequired && text == nil {
        throw failed(.lacksValue(property.name), association.sourceKey, of: other)
      }
    }
    if !new.isEmpty, let query = other.newKeys(new.count) {
      for (association, row) in zip(new, try connection.query(query)) {
        if let key = row["key"] { runner.manager.note(key, of: association.number) }
      }
    }
    return try runner.telling(of: other.writing) {
      try connection.copyIn(other.writing) { writer in
        for association in associations {
          let texts =
            association.isFirst
            ? association.instance.texts : association.instance.texts.map { _ in nil }
          do {
            try writer.write(
              [
                association.sourceKey, runner.manager.key(of: association.number),
                association.isFirst ? "t" : "f",
              ] + texts
            )
          } catch let error as PostgresError where error.kind == .server {
            throw failed(.refused(error), association.sourceKey, of: other)
          }
        }
      }
    }
  }

  private func failed(
    _ fault: ExecutionError.PolicyFault,
    _ key: String?,
    of other: RowPolicy
  ) -> ExecutionError {
    ExecutionError(
      .policyFailed(
        fault,
        mapping: other.mappingName,
        policy: other.policyClassName,
        key: key
      )
    )
  }

  private func failed(_ fault: ExecutionError.PolicyFault, _ key: String?) -> ExecutionError {
    ExecutionError(
      .policyFailed(
        fault,
        mapping: rowPolicy.mappingName,
        policy: rowPolicy.policyClassName,
        key: key
      )
    )
  }
}

extension InstanceCreation.Count {
  fileprivate func allows(_ count: Int) -> Bool {
    switch self {
    case .one: count == 1
    case .atMostOne: count <= 1
    case .any: true
    }
  }
}
