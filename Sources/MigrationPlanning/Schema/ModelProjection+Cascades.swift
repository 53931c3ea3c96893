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
    where relationship.deleteRule == .cascade && !relationship.isTransient {
      let end = RelationshipEnd(entity: entity, relationship: relationship)
      guard let column = columns[end.reference]?.column, let target = target(of: relationship),
        let referenced = tables[.root(entity: target.name)]
      else { continue }
      let destination = schema.qualified(referenced)
      let body: SQLFragment =
        "DELETE FROM \(destination) WHERE \(StorageNames.key) = OLD.\(column);"
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
    guard let contents = schema.tables[table], contents.columns.count >= 2 else { return }
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
    let key = StorageNames.key
    let body: SQLFragment = """
      IF NOT EXISTS (SELECT FROM \(ownerTable) WHERE \(key) = OLD.\(owner)) THEN
          DELETE FROM \(destinationTable) WHERE \(key) = OLD.\(destination);
        END IF;
      """
    addTrigger(body, destination, to: table, &names)
  }

  private func referencedTable(
    of column: SQLIdentifier,
    _ table: SQLIdentifier
  ) -> QualifiedName? {
    schema.tables[table]?.constraints.first {
      if case .foreignKey(column, _, _) = $0.definition { true } else { false }
    }?.referencedTable.map { schema.qualified($0) }
  }

  private mutating func addTrigger(
    _ body: SQLFragment,
    _ column: SQLIdentifier,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    let name = names.allocate(table, [column], label: "cascade")
    withTable(table) { $0.triggers.append(Trigger(name: name, body: body)) }
  }
}
