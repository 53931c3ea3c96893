package import ModelMapping
internal import ObjectModel
package import SQLSyntax

/// A query for some rows of an entity mapping, each with the row that it becomes.
package struct MappingPreview: Hashable, Sendable {
  /// The name of the entity mapping.
  package let mappingName: String
  /// The entity whose rows are taken.
  package let sourceEntityName: String
  /// The entity that they become rows of.
  package let destinationEntityName: String
  /// The properties of the rows of the source.
  package let sourceProperties: [String]
  /// The properties of the rows of the destination.
  package let destinationProperties: [Property]
  /// The query: the values of the source, then those of the destination, all as text.
  fileprivate let values: [SQLFragment]
  fileprivate let rows: SQLFragment

  /// A property of the destination.
  package struct Property: Hashable, Sendable {
    /// The name; `_id` is the key.
    package let name: String
    /// The origin of a value that no query gives; `nil` if the query has it.
    package let origin: String?
  }

  /// The most characters of a value.
  package static let width = 200

  /// Returns the query for so many rows.
  ///
  /// - Parameter limit: The most rows.
  /// - Returns: The query.
  package func query(limit: Int) -> SQLFragment {
    let columns = values.enumerated().map { index, value -> SQLFragment in
      """
      pg_catalog.left((\(value))::pg_catalog.text, \(SQLLiteral.integer(Int64(Self.width)))) \
      AS \(SQLIdentifier("v\(index + 1)"))
      """
    }
    return """
      SELECT \(columns.joined(separator: ",\n  "))
        \(rows)
        LIMIT \(SQLLiteral.integer(Int64(limit)))
      """
  }
}

extension MappingPreview {
  /// Compiles the previews of the entity mappings that are about an entity.
  ///
  /// - Parameters:
  ///   - entityName: An entity of either version.
  ///   - mapping: The mapping.
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  /// - Returns: The previews; a mapping whose rows SQL or code creates, or that has only one end, has
  ///   none.
  /// - Throws: Everything in the mapping that cannot be carried out.
  package static func previews(
    of entityName: String,
    by mapping: CompleteMapping,
    from source: ModelProjection,
    to destination: ModelProjection
  ) throws(PlanningError) -> [MappingPreview] {
    let compiled = try CompiledCopy(
      CopyRequest(
        mapping: mapping.copyingEverything(from: source.model, to: destination.model),
        source: source,
        destination: destination,
        staging: .apart,
        mapSchema: StorageNames.fitted("remodel_staging")
      )
    )
    return compiled.mapped.rows.compactMap { rows in
      guard [rows.entity.name, rows.target.name].contains(entityName),
        !rows.mapping.makesWrittenRows, !rows.mapping.countsRowsInCode
      else { return nil }
      return PreviewCompiler(compiled.mapped, rows).preview
    }
  }
}

/// Compiles the preview of one entity mapping.
private struct PreviewCompiler {
  private let mapped: MappedSource
  private let rows: MappedRows
  private var source: ModelProjection { mapped.request.source }
  private var destination: ModelProjection { mapped.request.destination }

  private typealias Value = (property: MappingPreview.Property, value: SQLFragment?)

  init(_ mapped: MappedSource, _ rows: MappedRows) {
    self.mapped = mapped
    self.rows = rows
  }

  var preview: MappingPreview {
    let before = sourceValues
    let after = destinationValues
    return MappingPreview(
      mappingName: rows.mapping.name,
      sourceEntityName: rows.entity.name,
      destinationEntityName: rows.target.name,
      sourceProperties: before.map(\.name),
      destinationProperties: after.map(\.property),
      values: before.map(\.value) + after.compactMap(\.value),
      rows: origin
    )
  }

  // MARK: - Rows

  /// The rows, one of the source for each of the destination.
  private var origin: SQLFragment {
    let conditions: SQLFragment =
      rows.conditions.isEmpty ? "" : " WHERE \(rows.conditions.joined(separator: " AND "))"
    let each = rows.each.map { ", \(MappedRows.eachAlias).\($0.key)" as SQLFragment } ?? ""
    guard let map = rows.map, map.keys != nil, !map.values.isEmpty else {
      return "FROM \(rows.sourceOrigin)\(conditions) ORDER BY \(rows.sourceKey)\(each)"
    }
    // The row of each group that gives the other values.
    let keys = map.values.map(\.value).joined(separator: ", ")
    let choice =
      rows.choice.isEmpty ? "" : ", \(rows.choice.joined(separator: ", "))" as SQLFragment
    return """
      FROM \(rows.relation) AS \(MappedRows.sourceAlias) WHERE \(rows.sourceKey) IN (SELECT \
      DISTINCT ON (\(keys)) \(rows.sourceKey) FROM \(rows.sourceOrigin)\(conditions) \
      ORDER BY \(keys)\(choice)) ORDER BY \(rows.sourceKey)
      """
  }

  private var sourceValues: [(name: String, value: SQLFragment)] {
    var values: [(name: String, value: SQLFragment)] = [(rows.key.name, rows.sourceKey)]
    for part in source.storedParts(of: rows.entity) {
      values.append((part.path.description, "\(MappedRows.sourceAlias).\(part.place.column)"))
    }
    for declaring in source.model.lineage(of: rows.entity) {
      for relationship in declaring.relationships {
        guard let place = source.columns[.reference(entity: declaring.name, relationship.name)],
          place.table == rows.table
        else { continue }
        values.append((relationship.name, "\(MappedRows.sourceAlias).\(place.column)"))
      }
    }
    if let each = rows.each, let name = rows.mapping.forEach {
      values.append(("\(name): \(each.entity.name)", "\(MappedRows.eachAlias).\(each.key)"))
    }
    return values
  }

  // MARK: - Values

  private var destinationValues: [Value] {
    var values: [Value] = [key]
    guard let table = destination.schema.tables[rows.targetTable] else { return values }
    var compiler = FeedCompiler(mapped, rows, into: table)
    for part in destination.storedParts(of: rows.target)
    where part.place.table == rows.targetTable && part.column.generation == nil {
      let name = part.path.description
      if rows.madeValue(of: part.path) != nil {
        let policy = rows.mapping.policyClassName ?? ""
        values.append((.init(name: name, origin: "set by policy \(policy)"), nil))
        continue
      }
      let value = compiler.feed([part.column]).values[0]
      if compiler.isGiven(value) {
        values.append((.init(name: name, origin: "given by the server"), nil))
      } else {
        values.append((.init(name: name, origin: nil), value))
      }
    }
    return values + relationships
  }

  private var key: Value {
    let name = destination.key(of: rows.targetTable).name
    guard rows.map == nil else { return (.init(name: name, origin: "new"), nil) }
    return (.init(name: name, origin: nil), rows.unit)
  }

  private var relationships: [Value] {
    destination.model.lineage(of: rows.target).flatMap { declaring in
      declaring.relationships.compactMap { relationship -> Value? in
        guard !relationship.isTransient,
          destination.linkPlace(of: relationship, declaredBy: declaring) != nil,
          rows.propertyMapping(of: relationship.name)?.valueExpression != nil,
          let links = try? LinkFinder(mapped, rows, relationship).links(),
          let value = text(of: links, isToMany: relationship.isToMany)
        else { return nil }
        return (.init(name: relationship.name, origin: nil), value)
      }
    }
  }

  /// Returns what a relationship leads to as text: keys, or the rows that mappings make for keys of the
  /// source.
  private func text(of links: LinkSource, isToMany: Bool) -> SQLFragment? {
    switch links {
    case .none: return nil
    case .path(let path, let via):
      let maker = via.first { $0.map != nil }.map(\.mapping.name)
      func words(_ key: SQLFragment) -> SQLFragment {
        guard let maker else { return "(\(key))::text" }
        return "\(SQLLiteral.text("\(maker) of ")) || (\(key))::text"
      }
      guard isToMany else { return words(path.key(in: rows.schema)) }
      return """
        (SELECT string_agg(\(words("link.target")), ', ') FROM (SELECT found.target FROM \
        \(path.links(in: rows.schema)) AS found ORDER BY 1 LIMIT 10) AS link)
        """
    case .keyed(let named, let values):
      let keys = values.map { "coalesce((\($0.value))::text, 'NULL')" as SQLFragment }
      let list = keys.joined(separator: " || ', ' || ")
      return "\(SQLLiteral.text("\(named.mapping.name) for ")) || \(list)"
    case .choice(let condition, let first, let second):
      let first = text(of: first, isToMany: isToMany) ?? "NULL::text"
      let second = text(of: second, isToMany: isToMany) ?? "NULL::text"
      return "CASE WHEN \(condition.value) THEN \(first) ELSE \(second) END"
    }
  }
}
