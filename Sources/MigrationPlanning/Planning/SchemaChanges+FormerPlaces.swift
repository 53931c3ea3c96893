internal import SQLSyntax

extension SchemaChanges {
  /// Gives links that come back from where they had no order the one that is retained of them.
  mutating func orderMovedLinks() {
    let spares = retained.objects(among: planner.spares).filter {
      $0.version == destination.name
    }
    guard !spares.isEmpty else { return }
    orderMixedLinks(among: spares)
    for case .moveLinks(let move) in operations where !move.hasLinks {
      for end in LinkPlace.Position.allCases {
        guard let position = move.place.column(of: end),
          move.sources.allSatisfy({ $0.place.column(of: end) == nil }),
          let former = formerPlace(in: position, at: move.place, among: spares)
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
  }

  /// Gives links that are rows and have stayed, while others came to them, the order that is retained
  /// beside them.
  private mutating func orderMixedLinks(among spares: [RetainedObject]) {
    for index in operations.indices {
      guard case .numberLinks(var numbering) = operations[index], numbering.formerPlace == nil,
        numbering.key.count > 1, let column = spare(numbering.position, of: numbering.table, spares)
      else { continue }
      numbering.formerPlace = NumberLinks.FormerPlace(value: "own.\(column)")
      operations[index] = .numberLinks(numbering)
    }
  }

  /// Returns the column that is retained of a table of the destination beside those that it has.
  private func spare(
    _ name: SQLIdentifier,
    of table: SQLIdentifier,
    _ spares: [RetainedObject]
  ) -> SQLIdentifier? {
    spares.last { object in
      guard let origin = object.origin, origin.content == .column else { return false }
      return object.table == table && origin.table == table.name
        && origin.columns.first?.name == name.name
    }?.column
  }

  /// Returns the place that a link had, if it led from and to the same rows.
  private func formerPlace(
    in position: SQLIdentifier,
    at place: LinkPlace,
    among spares: [RetainedObject]
  ) -> NumberLinks.FormerPlace? {
    guard place.isJoinTable else { return formerPlace(in: position, beside: place, among: spares) }
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
        (SELECT min(former.\(value)) FROM \(destinationSchema.qualified(object.table)) AS former \
        WHERE former.\(owner) = own.\(place.owner) AND former.\(target) = own.\(place.target))
        """,
      table: object.table
    )
  }

  private func formerPlace(
    in position: SQLIdentifier,
    beside place: LinkPlace,
    among spares: [RetainedObject]
  ) -> NumberLinks.FormerPlace? {
    let key = place.isInOwner ? place.target : place.owner
    guard let before = spare(key, of: place.table, spares),
      let value = spare(position, of: place.table, spares)
    else { return nil }
    return NumberLinks.FormerPlace(
      value: "CASE WHEN own.\(key) = own.\(before) THEN own.\(value) END"
    )
  }
}
