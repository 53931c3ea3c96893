internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  /// A to-one relationship that cascades takes the one it leads to along, which no foreign key says.
  mutating func addCascades(
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    for relationship in entity.relationships
    where relationship.deleteRule == .cascade && !relationship.isTransient
      && relationship.reference?.onDelete == nil
    {
      let end = RelationshipEnd(entity: entity, relationship: relationship)
      guard let column = columns[end.reference]?.column, let target = target(of: relationship),
        let referenced = tables[.root(entity: target.name)]
      else { continue }
      let destination = schema.qualified(referenced)
      let body: SQLFragment =
        "DELETE FROM \(destination) WHERE \(key(of: target)) = OLD.\(column);"
      addTrigger(body, column, to: table, &names)
    }
  }

  /// A link that went because its owner went takes the destination along; one that was merely cut
  /// does not.
  mutating func addJoinCascades(
    _ end: RelationshipEnd,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    // What the foreign keys are said to do leaves nothing to a trigger.
    guard end.relationship.reference?.onDelete == nil, let contents = schema.tables[table],
      contents.columns.count >= 2
    else { return }
    let source = contents.columns[0].name
    let destination = contents.columns[1].name
    if end.relationship.deleteRule == .cascade {
      addJoinCascade(from: source, to: destination, table, &names)
    }
    if inverseEnd(of: end)?.relationship.deleteRule == .cascade {
      addJoinCascade(from: destination, to: source, table, &names)
    }
  }

  private mutating func addJoinCascade(
    from owner: SQLIdentifier,
    to destination: SQLIdentifier,
    _ table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    guard let ownerTable = referencedTable(of: owner, table),
      let destinationTable = referencedTable(of: destination, table)
    else { return }
    let body: SQLFragment = """
      IF NOT EXISTS (SELECT FROM \(ownerTable.table) WHERE \(ownerTable.key) = OLD.\(owner)) THEN
          DELETE FROM \(destinationTable.table) WHERE \(destinationTable.key) = OLD.\(destination);
        END IF;
      """
    addTrigger(body, destination, to: table, &names)
  }

  private func referencedTable(
    of column: SQLIdentifier,
    _ table: SQLIdentifier
  ) -> (table: QualifiedName, key: SQLIdentifier)? {
    schema.tables[table]?.constraints.lazy.compactMap(\.foreignKey).first { $0.column == column }
      .map { (schema.qualified($0.references), $0.key) }
  }

  private mutating func addTrigger(
    _ body: SQLFragment,
    _ column: SQLIdentifier,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    let name = names.allocateFixed(table, [column], label: "cascade")
    withTable(table) { $0.triggers.append(Trigger(name: name, body: body)) }
  }
}
