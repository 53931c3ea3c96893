internal import SQLSyntax

extension SchemaChanges {
  /// Gives links that come back from where they had no order the one that is retained of them.
  mutating func orderMovedLinks() {
    let spares = retained.objects(among: planner.spares).filter {
      $0.version == destination.name
    }
    guard !spares.isEmpty else { return }
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
    func column(_ name: SQLIdentifier) -> SQLIdentifier? {
      spares.last { object in
        guard let origin = object.origin, origin.content == .column else { return false }
        return object.table == place.table && origin.table == place.table.name
          && origin.columns.first?.name == name.name
      }?.column
    }
    let key = place.isInOwner ? place.target : place.owner
    guard let before = column(key), let value = column(position) else { return nil }
    return NumberLinks.FormerPlace(
      value: "CASE WHEN own.\(key) = own.\(before) THEN own.\(value) END"
    )
  }
}
