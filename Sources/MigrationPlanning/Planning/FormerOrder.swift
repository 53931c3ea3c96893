internal import SQLSyntax

/// The order of links that is retained, for links that come back from where they had none.
struct FormerOrder {
  private let schema: DatabaseSchema
  /// The retained objects of the destination that are not put back.
  private let spares: [RetainedObject]

  init(_ context: StepContext, _ retained: RetainedNames) {
    schema = context.match.destination.schema
    spares = retained.objects(among: context.planner.spares).filter {
      $0.version == context.versionName
    }
  }

  /// Returns the numbering of links that are rows and have stayed, while others came to them, by the order
  /// that is retained beside them.
  func numbering(_ operations: [MigrationOperation]) -> [MigrationOperation] {
    if spares.isEmpty { return operations }
    return operations.map { operation in
      guard case .numberLinks(var numbering) = operation, numbering.key.count > 1,
        let column = spare(numbering.position, of: numbering.table)
      else { return operation }
      numbering.formerPlace = NumberLinks.FormerPlace(value: "own.\(column)")
      return .numberLinks(numbering)
    }
  }

  /// Returns the numbering of links that all move.
  func operations(for moves: [MigrationOperation]) -> [MigrationOperation] {
    if spares.isEmpty { return [] }
    var operations: [MigrationOperation] = []
    for case .moveLinks(let move) in moves where !move.hasLinks {
      for end in LinkPlace.Position.allCases {
        guard let position = move.place.column(of: end),
          move.sources.allSatisfy({ $0.place.column(of: end) == nil }),
          let former = formerPlace(in: position, at: move.place)
        else { continue }
        let (owner, other) =
          switch end {
          case .ofTarget: (move.place.owner, move.place.target)
          case .ofOwner: (move.place.target, move.place.owner)
          }
        operations.append(
          .numberLinks(
            NumberLinks(
              table: move.table,
              position: position,
              owner: owner,
              key: [owner, other].filter { move.isJoinTable || $0 == move.place.key },
              hasPlaces: false,
              formerPlace: former
            )
          )
        )
      }
    }
    return operations
  }

  /// Returns the column that is retained of a table of the destination beside those that it has.
  private func spare(_ name: SQLIdentifier, of table: SQLIdentifier) -> SQLIdentifier? {
    spares.last { object in
      guard let origin = object.origin, origin.content == .column else { return false }
      return object.table == table && origin.table == table.name
        && origin.columns.first?.name == name.name
    }?.column
  }

  /// Returns the place that a link had, if it led from and to the same rows.
  private func formerPlace(
    in position: SQLIdentifier,
    at place: LinkPlace
  ) -> NumberLinks.FormerPlace? {
    guard place.isJoinTable else { return formerPlace(in: position, beside: place) }
    let object = spares.last {
      $0.origin?.content == .table && $0.origin?.table == place.table.name
    }
    func column(_ name: SQLIdentifier) -> SQLIdentifier? {
      object?.origin?.columns.first { $0.name == name.name }.map { SQLIdentifier($0.retainedName) }
    }
    guard let object, let owner = column(place.owner), let target = column(place.target),
      let value = column(position)
    else { return nil }
    return NumberLinks.FormerPlace(
      value: """
        (SELECT min(former.\(value)) FROM \(schema.qualified(object.table)) AS former \
        WHERE former.\(owner) = own.\(place.owner) AND former.\(target) = own.\(place.target))
        """,
      table: object.table
    )
  }

  private func formerPlace(
    in position: SQLIdentifier,
    beside place: LinkPlace
  ) -> NumberLinks.FormerPlace? {
    let key = place.isInOwner ? place.target : place.owner
    guard let before = spare(key, of: place.table),
      let value = spare(position, of: place.table)
    else { return nil }
    return NumberLinks.FormerPlace(
      value: "CASE WHEN own.\(key) = own.\(before) THEN own.\(value) END"
    )
  }
}
