internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension CopyCompiler {
  /// Finds the rows that an entity mapping starts from, and how they get their keys.
  mutating func addRows(of mapping: EntityMapping) {
    guard
      let entity = mapping.sourceEntityName.flatMap({ source.model.entity(named: $0) }),
      let target = mapping.destinationEntityName.flatMap({ destination.model.entity(named: $0) }),
      !entity.isAbstract, !target.isAbstract, let table = source.table(of: entity)
    else { return }
    var rows = MappedRows(
      mapping: mapping,
      entity: entity,
      target: target,
      table: table,
      key: source.key(of: entity)
    )
    if let name = mapping.forEach {
      rows.each = each(name, of: entity)
      if rows.each == nil { fault(mapping.name, nil, .unusableForEach(name)) }
      if mapping.distinct != nil { fault(mapping.name, nil, .distinctForEach) }
    }
    let hasMap =
      mapping.makesWrittenRows ? namesMap(of: mapping) : !scope.keptKeys.contains(mapping.name)
    if isCopied(target), hasMap {
      let number = plan.maps.count + self.rows.values.count { $0.map != nil } + 1
      let name = StorageNames.snakeCase(mapping.name)
      func qualified(_ prefix: String) -> QualifiedName {
        QualifiedName(
          schema: mapSchema,
          name: StorageNames.fitted("\(prefix)_\(number)_\(name)")
        )
      }
      rows.map = MappedRows.MapNames(
        members: qualified("map"),
        keys: mapping.distinct == nil ? nil : qualified("keys")
      )
    }
    if isCopied(target) { nameMade(by: &rows) }
    set(rows)
  }

  private func isCopied(_ entity: EntityDescription) -> Bool {
    scope.rootNames.contains(destination.model.root(of: entity).name)
  }

  private func each(_ name: String, of entity: EntityDescription) -> MappedRows.Each? {
    for declaring in source.model.lineage(of: entity) {
      guard
        let relationship = declaring.relationships.first(where: {
          $0.name == name && $0.isToMany && !$0.isTransient
        }),
        let place = source.linkPlace(of: relationship, declaredBy: declaring),
        let other = source.model.entity(named: relationship.destinationEntityName),
        let table = source.table(of: other)
      else { continue }
      return MappedRows.Each(
        entity: other,
        table: table,
        key: source.key(of: other),
        place: place
      )
    }
    return nil
  }

  /// Compiles which rows take part, and the map of their keys if they cannot keep theirs.
  mutating func addConditions(of name: String) {
    guard var rows = rows[name] else { return }
    let discriminator = StorageNames.discriminator
    if source.membership(of: [rows.entity.name], in: rows.table) != nil {
      let literal = SQLLiteral.text(rows.entity.name)
      rows.conditions.append("\(MappedRows.sourceAlias).\(discriminator) = \(literal)")
      rows.decidingColumns.insert(discriminator)
    }
    if let each = rows.each,
      let membership = source.membership(
        of: source.concreteFamily(of: each.entity),
        in: each.table
      )
    {
      rows.conditions.append(
        """
        \(MappedRows.eachAlias).\(each.key) IN (SELECT \(each.key) FROM \
        \(QualifiedName(schema: schema, name: each.table)) WHERE \(membership))
        """
      )
    }
    if let predicate = rows.mapping.condition {
      var columns: [SQLIdentifier] = []
      var paths: [RelationshipPath] = []
      let condition = evaluate(rows, nil, notesDependencies: false) {
        expression throws(ExpressionFault) in
        let condition = try expression.condition(predicate)
        columns = expression.columns
        paths = expression.paths
        return condition
      }
      rows.decidingColumns.formUnion(columns)
      rows.decidingPaths += paths
      if let condition { rows.conditions.append("(\(condition))") }
    }
    set(rows)
    if rows.map != nil { addMap(of: rows) }
    if rows.made != nil { addRowPolicy(of: name) }
  }
}
