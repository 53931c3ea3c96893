internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// How rows pass through the policy of an entity mapping.
struct CompiledRowPolicy {
  let policy: RowPolicy
  /// The statements that create the table for the policy's rows.
  let preparation: [PlannedStatement]
  /// The columns of the source that the policy is handed.
  let readColumns: [SQLIdentifier]
  /// The arguments of methods, with what they read.
  let arguments: [RowExpression]

  private typealias HandedValue = (property: InstanceLayout.Property, column: SQLIdentifier)
  private typealias Argument = (
    property: InstanceLayout.Property, value: SQLFragment, expression: RowExpression
  )

  /// Compiles the policy of a mapping; none if the server does all.
  init?(of rows: MappedRows, in mapped: MappedSource) throws(MappingFault) {
    guard let made = rows.made, let creation = rows.mapping.instanceCreation,
      let className = rows.mapping.policyClassName
    else { return nil }
    let (source, destination) = (mapped.request.source, mapped.request.destination)
    let settable = destination.storedParts(of: rows.target)
      .filter { made.columns[$0.path] != nil }
    let handed = Self.handed(to: creation, rows, source)
    let countsRows = rows.mapping.countsRowsInCode
    let unit = countsRows ? rows.sourceKey : rows.unit
    let keyTypes = (
      source: source.keyType(of: rows.table), target: destination.keyType(of: rows.targetTable)
    )
    let arguments = try Self.arguments(of: creation, rows, source)
    readColumns = handed.map(\.column)
    self.arguments = arguments.map(\.expression)
    preparation = Self.preparation(
      made.table,
      settable.compactMap { part in made.columns[part.path].map { "\($0) \(part.column.type)" } },
      rows,
      keyTypes
    )
    policy = RowPolicy(
      mappingName: rows.mapping.name,
      policyClassName: className,
      policyVersion: rows.mapping.policyVersion ?? "",
      count: creation.count,
      calls: creation.calls,
      usesManager: creation.usesManager,
      creatorName: creation.creatorName,
      layout: InstanceLayout(
        source: .init(
          of: rows.entity.name,
          handed.map(\.property) + arguments.map(\.property)
        ),
        destination: .init(
          of: rows.target.name,
          settable.map {
            .init(
              $0.path.description,
              $0.part.description.type,
              isRequired: $0.part.isRequired,
              defaultValue: $0.part.defaultValue
            )
          }
        )
      ),
      source: rows.table,
      rows: CopyFeed(
        mappingName: rows.mapping.name,
        values: [unit, rows.sourceKey]
          + handed.map { "\(MappedRows.sourceAlias).\($0.column)" } + arguments.map(\.value),
        origin: countsRows ? rows.sourceOrigin : rows.origin,
        unit: unit,
        conditions: rows.conditions,
        choice: rows.choice,
        domain: countsRows ? rows.relation : rows.domain.relation,
        domainColumn: countsRows ? rows.key : rows.domain.column
      ),
      unitType: countsRows ? keyTypes.source : keyTypes.target,
      table: made.table,
      columns: settable.compactMap { made.columns[$0.path] },
      keys: !countsRows
        ? .ofUnit : mapped.keepsKeys(rows) ? .ofSource : .new(try mapped.allocation(for: rows))
    )
  }

  /// Returns the values of each row that a policy gets.
  private static func handed(
    to creation: InstanceCreation,
    _ rows: MappedRows,
    _ source: ModelProjection
  ) -> [HandedValue] {
    func isHanded(_ name: String) -> Bool { creation.sourceProperties?.contains(name) ?? true }
    let attributes = source.storedParts(of: rows.entity)
      .filter { isHanded($0.path.description) }
      .map { path, part, _, place -> HandedValue in
        (
          .init(path.description, part.description.type, isRequired: part.isRequired),
          place.column
        )
      }
    let references = source.model.lineage(of: rows.entity).flatMap { declaring in
      declaring.relationships.compactMap { relationship -> HandedValue? in
        guard isHanded(relationship.name),
          let place = source.columns[.reference(entity: declaring.name, relationship.name)],
          place.table == rows.table
        else { return nil }
        return (
          .init(relationship.name, .objectID, isRequired: !relationship.isOptional), place.column
        )
      }
    }
    return attributes + references
  }

  /// Returns the arguments of the methods that attributes get their values from.
  private static func arguments(
    of creation: InstanceCreation,
    _ rows: MappedRows,
    _ source: ModelProjection
  ) throws(MappingFault) -> [Argument] {
    var arguments: [Argument] = []
    for call in creation.calls {
      for (index, argument) in call.arguments.enumerated() {
        let found = try rows.evaluate(in: source, for: call.attribute) {
          row throws(ExpressionFault) in
          // There is no new row yet.
          row.destination = nil
          return try row.value(argument)
        }
        let value = found.value
        let (type, sql): (AttributeType, SQLFragment) =
          switch value.type {
          case .reference: (.objectID, value.sql)
          case .null, .unknown: (.string, "(\(value.sql))::text")
          case .integer, .decimal, .double, .text, .boolean, .date, .other:
            (value.type.keepingType ?? .string, value.sql)
          }
        arguments.append(
          (.init(call.name(ofArgument: index), type), sql, expression: found.expression)
        )
      }
    }
    return arguments
  }

  private static func preparation(
    _ table: QualifiedName,
    _ values: [SQLFragment],
    _ rows: MappedRows,
    _ keyTypes: (source: SQLTypeName, target: SQLTypeName)
  ) -> [PlannedStatement] {
    let names = MappedRows.MapNames.self
    let count = rows.mapping.instanceCreation?.count
    let isUnique: SQLFragment = count == .atMostOne ? " UNIQUE" : ""
    let origin: [SQLFragment] =
      rows.mapping.countsRowsInCode
      ? ["\(names.source) \(keyTypes.source) NOT NULL\(isUnique)"] : []
    // A row that several rows of the source share is there once for each of them.
    let isShared = rows.mapping.instanceCreation?.creatorName != nil
    let key: SQLFragment =
      isShared
      ? """
      \(names.destination) \(keyTypes.target) NOT NULL, \(names.isFirst) boolean NOT NULL, \
      PRIMARY KEY (\(names.destination), \(names.source))
      """
      : "\(names.destination) \(keyTypes.target) PRIMARY KEY"
    let content =
      "the table of what policy \"\(rows.mapping.policyClassName ?? "")\" makes by entity mapping "
      + "\"\(rows.mapping.name)\""
    let creation = PlannedStatement(
      sql: "CREATE TABLE \(table) (\((origin + [key] + values).joined(separator: ", ")))",
      reason: "create \(content)"
    )
    guard count == .any else { return [creation] }
    let index = PlannedStatement(
      sql: "CREATE INDEX ON \(table) (\(names.source))",
      reason: "index \(content)"
    )
    return [creation, index]
  }
}
