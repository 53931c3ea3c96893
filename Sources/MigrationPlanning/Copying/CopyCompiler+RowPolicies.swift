internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What policies make in code.
extension CopyCompiler {
  /// Names the table of what a policy makes of rows, and its columns.
  func nameMade(by rows: inout MappedRows) {
    guard let creation = rows.mapping.instanceCreation else { return }
    let number = self.rows.values.count { $0.made != nil } + 1
    let suffix = StorageNames.snakeCase(rows.mapping.name)
    let table = QualifiedName(
      schema: mapSchema,
      name: StorageNames.fitted("made_\(number)_\(suffix)")
    )
    var columns: [PropertyPath: SQLIdentifier] = [:]
    for part in parts(of: rows.target, in: destination)
    where creation.attributes.contains(part.path.description) {
      columns[part.path] = SQLIdentifier("value_\(columns.count + 1)")
    }
    rows.made = MappedRows.MadeNames(table: table, columns: columns)
    if rows.mapping.countsRowsInCode {
      rows.map = MappedRows.MapNames(members: table, keys: nil)
    }
  }

  private typealias StoredPart = (
    path: PropertyPath, part: AttributePart, column: Column, place: ColumnReference
  )

  /// Returns the attributes of an entity that have columns, and the elements of its composites.
  private func parts(of entity: EntityDescription, in projection: ModelProjection) -> [StoredPart] {
    projection.model.lineage(of: entity).flatMap { declaring in
      declaring.attributes.flatMap { attribute in
        projection.model.leaves(of: AttributePart(attribute)).compactMap { part -> StoredPart? in
          guard
            let place = projection.columns[
              .attribute(entity: declaring.name, attribute.name, path: part.path)
            ],
            let column = projection.schema.tables[place.table]?.column(place.column)
          else { return nil }
          return (PropertyPath(attribute.name, elements: part.path), part, column, place)
        }
      }
    }
  }

  /// Compiles how rows pass through the policy of a mapping.
  mutating func addRowPolicy(of name: String) {
    guard let rows = rows[name], let made = rows.made, let creation = rows.mapping.instanceCreation,
      let className = rows.mapping.policyClassName,
      let target = destination.table(of: rows.target)
    else { return }
    obstruct("rows of entity mapping \"\(name)\" pass through policy \"\(className)\"")
    reads.watch(rows.decidingColumns.union([rows.key]), of: rows.table)
    let settable = parts(of: rows.target, in: destination).filter { made.columns[$0.path] != nil }
    let handed = handed(to: creation, rows)
    let countsRows = rows.mapping.countsRowsInCode
    let sourceKey: SQLFragment = "\(MappedRows.sourceAlias).\(rows.key)"
    let unit = countsRows ? sourceKey : rows.unit
    let domain = rows.domain(in: schema)
    plan.preparation += tables(for: made, settable, rows, target)
    if countsRows { plan.writtenMaps[name] = made.table }
    plan.rowPolicies.append(
      RowPolicy(
        mappingName: name,
        policyClassName: className,
        policyVersion: rows.mapping.policyVersion ?? "",
        count: creation.count,
        layout: InstanceLayout(
          source: .init(of: rows.entity.name, handed.map(\.property)),
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
          mappingName: name,
          values: [unit, sourceKey] + handed.map(\.value),
          origin: countsRows ? rows.sourceOrigin(in: schema) : rows.origin(in: schema),
          unit: unit,
          conditions: rows.conditions,
          choice: rows.choice,
          domain: countsRows ? source.schema.qualified(rows.table) : domain.relation,
          domainColumn: countsRows ? rows.key : domain.column,
          insertion: nil
        ),
        unitType: countsRows
          ? keyType(of: rows.table, in: source) : keyType(of: target, in: destination),
        table: made.table,
        columns: settable.compactMap { made.columns[$0.path] },
        keys: !countsRows
          ? .ofUnit : keepsKeys(rows) ? .ofSource : .new(allocation(for: target, rows))
      )
    )
  }

  /// Returns what a policy is handed of each row.
  private mutating func handed(
    to creation: InstanceCreation,
    _ rows: MappedRows
  ) -> [(property: InstanceLayout.Property, value: SQLFragment)] {
    var handed: [(property: InstanceLayout.Property, value: SQLFragment)] = []
    func isHanded(_ name: String) -> Bool { creation.sourceProperties?.contains(name) ?? true }
    var columns: Set<SQLIdentifier> = []
    for (path, part, _, place) in parts(of: rows.entity, in: source)
    where isHanded(path.description) {
      columns.insert(place.column)
      handed.append(
        (
          .init(path.description, part.description.type, isRequired: part.isRequired),
          "\(MappedRows.sourceAlias).\(place.column)"
        )
      )
    }
    for declaring in source.model.lineage(of: rows.entity) {
      for relationship in declaring.relationships where isHanded(relationship.name) {
        guard
          let place = source.columns[.reference(entity: declaring.name, relationship.name)],
          place.table == rows.table
        else { continue }
        columns.insert(place.column)
        handed.append(
          (
            .init(relationship.name, .objectID, isRequired: !relationship.isOptional),
            "\(MappedRows.sourceAlias).\(place.column)"
          )
        )
      }
    }
    reads.watch(columns, of: rows.table)
    return handed
  }

  private func tables(
    for made: MappedRows.MadeNames,
    _ settable: [StoredPart],
    _ rows: MappedRows,
    _ target: SQLIdentifier
  ) -> [PlannedStatement] {
    let names = MappedRows.MapNames.self
    let values = settable.compactMap { part in
      made.columns[part.path].map { "\($0) \(part.column.type)" as SQLFragment }
    }
    let isUnique: SQLFragment = rows.mapping.instanceCreation?.count == .atMostOne ? " UNIQUE" : ""
    let origin: [SQLFragment] =
      rows.mapping.countsRowsInCode
      ? ["\(names.source) \(keyType(of: rows.table, in: source)) NOT NULL\(isUnique)"] : []
    let key: SQLFragment =
      "\(names.destination) \(keyType(of: target, in: destination)) PRIMARY KEY"
    let policy = "policy \"\(rows.mapping.policyClassName ?? "")\""
    let creation = statement(
      "CREATE TABLE \(made.table) (\((origin + [key] + values).joined(separator: ", ")))",
      "create the table of what \(policy) makes by entity mapping \"\(rows.mapping.name)\""
    )
    guard rows.mapping.instanceCreation?.count == .any else { return [creation] }
    return [
      creation,
      statement(
        "CREATE INDEX ON \(made.table) (\(names.source))",
        "index the table of what \(policy) makes by entity mapping \"\(rows.mapping.name)\""
      ),
    ]
  }
}
