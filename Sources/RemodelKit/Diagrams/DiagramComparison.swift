package import ModelMapping
package import ObjectModel

/// Two versions as pictures in which equal parts have the same places.
///
/// Of large models, the pictures show only the differences and their neighbors; where even those are too
/// many to look at, there is no picture.
package struct DiagramComparison: Sendable {
  let before: DiagramPicture?
  let after: DiagramPicture?
  /// All of the version after, where the others show only a part.
  let whole: DiagramPicture?
  /// How many entities the pictures show, and how many there are.
  package let shownCount: Int
  package let totalCount: Int

  /// The most boxes that are all shown, however few of them differ.
  private static let smallCount = 16
  /// The most boxes that people can find their way around in.
  private static let largestCount = 60

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - source: The version before, if there was one.
  ///   - destination: The version after.
  ///   - difference: Their differences.
  ///   - preferredWidth: The preferred maximum width of each picture.
  package init(
    from source: ManagedObjectModel?,
    to destination: ManagedObjectModel,
    _ difference: ModelDifference,
    preferredWidth: Int = 700
  ) {
    let afterDiagram = EntityDiagram(of: destination)
    guard let source, !difference.changes.isEmpty else {
      let marks = DiagramMarks()
      let isShown = destination.entities.count <= Self.largestCount
      before = nil
      after =
        isShown
        ? DiagramPicture(
          afterDiagram,
          marks,
          title: "Entity diagram",
          preferredWidth: 2 * preferredWidth
        ) : nil
      whole = nil
      shownCount = isShown ? destination.entities.count : 0
      totalCount = destination.entities.count
      return
    }
    let beforeDiagram = EntityDiagram(of: source)
    let beforeMarks = DiagramMarks(.before, of: difference)
    let afterMarks = DiagramMarks(.after, of: difference)
    let keys = PictureKeys(beforeMarks)
    var focus = PictureFocus(
      (beforeDiagram, beforeMarks),
      (afterDiagram, afterMarks),
      keys,
      isSmall: max(source.entities.count, destination.entities.count) <= Self.smallCount
    )
    totalCount = focus.entityCount
    if focus.shownEntityCount > Self.largestCount { focus.leaveOutNeighbors() }
    guard focus.shownEntityCount <= Self.largestCount else {
      (before, after, whole, shownCount) = (nil, nil, nil, 0)
      return
    }
    let first = PicturePart(beforeDiagram, beforeMarks) { focus.extents[keys.key(of: $0, .before)] }
    let second = PicturePart(afterDiagram, afterMarks) { focus.extents[keys.key(of: $0, .after)] }

    // The common parts have one layout, so that they have the same places in both pictures.
    var numbers: [PictureKeys.Key: Int] = [:]
    var nodes: [LayeredLayout.Node] = []
    func numbered(
      _ part: PicturePart,
      _ diagram: EntityDiagram,
      _ side: DiagramMarks.Side
    )
      -> [String: Int]
    {
      var result: [String: Int] = [:]
      let boxes = Dictionary(
        diagram.boxes.map { ($0.identifier, $0) },
        uniquingKeysWith: { first, _ in first }
      )
      for box in part.boxes {
        guard let original = boxes[box.identifier] else { continue }
        let key = keys.key(of: original, side)
        let number = numbers[key] ?? nodes.count
        numbers[key] = number
        result[box.identifier] = number
        if number == nodes.count {
          nodes.append(box.size)
        } else {
          nodes[number] = nodes[number].union(box.size)
        }
      }
      return result
    }
    let secondNumbers = numbered(second, afterDiagram, .after)
    let firstNumbers = numbered(first, beforeDiagram, .before)
    let layout = LayeredLayout(
      nodes,
      second.edges(secondNumbers) + first.edges(firstNumbers),
      preferredWidth: preferredWidth
    )
    func picture(_ part: PicturePart, _ numbers: [String: Int], _ title: String) -> DiagramPicture {
      let places = part.boxes.compactMap { numbers[$0.identifier].map { layout.places[$0] } }
      return DiagramPicture(part, places, layout, title)
    }
    before = picture(first, firstNumbers, "Entity diagram before")
    after = picture(second, secondNumbers, "Entity diagram after")
    shownCount = focus.shownEntityCount
    whole =
      shownCount < totalCount && totalCount <= Self.largestCount
      ? DiagramPicture(
        afterDiagram,
        afterMarks,
        title: "Entity diagram of all entities",
        preferredWidth: 2 * preferredWidth
      ) : nil
  }
}

extension LayeredLayout.Node {
  fileprivate func union(_ other: LayeredLayout.Node) -> LayeredLayout.Node {
    LayeredLayout.Node(width: max(width, other.width), height: max(height, other.height))
  }
}

/// The identities of boxes in two versions.
struct PictureKeys {
  /// A box of either version, or of both.
  enum Key: Hashable {
    /// By the name that the version after has for it.
    case entity(String)
    /// By the name that only the version before has.
    case removed(String)
    case composite(String)
  }

  private let beforeMarks: DiagramMarks
  private let laterNames: [String: String]

  init(_ beforeMarks: DiagramMarks) {
    self.beforeMarks = beforeMarks
    laterNames = Dictionary(
      beforeMarks.formerNames.map { ($0.value, $0.key) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  func key(of box: EntityDiagram.Box, _ side: DiagramMarks.Side) -> Key {
    if box.kind == "composite" { return .composite(box.name) }
    guard side == .before else { return .entity(box.name) }
    if beforeMarks.note(ofEntity: box.name)?.mark == .removed { return .removed(box.name) }
    return .entity(laterNames[box.name] ?? box.name)
  }
}

/// The extent to which each box is shown.
struct PictureFocus {
  private(set) var extents: [PictureKeys.Key: PictureBox.Extent] = [:]
  private(set) var entityCount = 0

  /// Shows nothing of entities that do not differ.
  mutating func leaveOutNeighbors() { extents = extents.filter { $0.value != .name } }

  var shownEntityCount: Int {
    extents.keys.count { key in
      switch key {
      case .entity, .removed: true
      case .composite: false
      }
    }
  }

  init(
    _ before: (diagram: EntityDiagram, marks: DiagramMarks),
    _ after: (diagram: EntityDiagram, marks: DiagramMarks),
    _ keys: PictureKeys,
    isSmall: Bool
  ) {
    var entities: Set<PictureKeys.Key> = []
    for (side, diagram, marks) in [
      (DiagramMarks.Side.before, before.diagram, before.marks),
      (.after, after.diagram, after.marks),
    ] {
      let keyOf = Dictionary(
        diagram.boxes.map { ($0.identifier, keys.key(of: $0, side)) },
        uniquingKeysWith: { first, _ in first }
      )
      var changed: Set<PictureKeys.Key> = []
      for box in diagram.boxes {
        guard let key = keyOf[box.identifier] else { continue }
        if box.kind != "composite" {
          entities.insert(key)
          if marks.note(ofEntity: box.name) != nil { changed.insert(key) }
        }
        if isSmall { extents[key] = .everything }
      }
      guard !isSmall else { continue }
      for key in changed { extents[key] = .differences }
      for line in diagram.lines {
        guard let from = keyOf[line.from], let to = keyOf[line.to] else { continue }
        for (one, other) in [(from, to), (to, from)] where changed.contains(one) {
          if extents[other] == nil { extents[other] = .name }
        }
      }
    }
    entityCount = entities.count
  }
}

/// A picture as a part of a page.
package struct InlinePicture: Sendable {
  /// The picture, in the page's style.
  package let markup: Markup
  /// Its width where there is room for it.
  package let width: Int
}

extension DiagramComparison {
  /// A Boolean value that indicates whether the pictures should be shown one below the other.
  package var isWide: Bool { (after?.width ?? 0) > 900 }

  /// Returns the version before; none if there was none, or if nothing differs.
  package func before(named identifier: String) -> InlinePicture? {
    before.map { InlinePicture($0, identifier) }
  }

  /// Returns the version after; none if it is too large for a picture.
  package func after(named identifier: String) -> InlinePicture? {
    after.map { InlinePicture($0, identifier) }
  }

  /// Returns all of the version after, where the other pictures show only a part.
  package func whole(named identifier: String) -> InlinePicture? {
    whole.map { InlinePicture($0, identifier) }
  }
}

extension InlinePicture {
  fileprivate init(_ picture: DiagramPicture, _ identifier: String) {
    self.init(markup: picture.inline(identifier), width: picture.width)
  }
}
