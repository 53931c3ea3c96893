/// A diagram with a place for everything in it.
struct DiagramPicture: Hashable, Sendable {
  /// A box at its place.
  struct PlacedBox: Hashable, Sendable {
    let box: PictureBox
    let place: LayeredLayout.Place
    /// The placeholder where only the other picture has a box.
    var height: Int { box.size.height }
  }

  let boxes: [PlacedBox]
  let lines: [PictureLine]
  let width: Int
  let height: Int
  /// The title and the description of the picture.
  let title: String
  let summary: String

  /// The space around everything.
  static let margin = 12

  /// Lays out a diagram by itself.
  init(_ diagram: EntityDiagram, _ marks: DiagramMarks, title: String, preferredWidth: Int) {
    let part = PicturePart(diagram, marks) { _ in .everything }
    let keys = part.boxes.map(\.identifier)
    let layout = LayeredLayout(
      part.boxes.map(\.size),
      part.edges(Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })),
      preferredWidth: preferredWidth
    )
    self.init(part, layout.places, layout, title)
  }

  init(
    _ part: PicturePart,
    _ places: [LayeredLayout.Place],
    _ layout: LayeredLayout,
    _ title: String
  ) {
    boxes = zip(part.boxes, places).map { PlacedBox(box: $0, place: $1) }
    lines = part.lines
    width = layout.width + 2 * Self.margin
    height = layout.height + 2 * Self.margin
    self.title = title
    summary = part.summary
  }
}

/// The contents of a picture, without positions.
struct PicturePart {
  let boxes: [PictureBox]
  let lines: [PictureLine]

  /// Creates a picture of a diagram, without the boxes that have no extent.
  init(
    _ diagram: EntityDiagram,
    _ marks: DiagramMarks,
    _ extent: (EntityDiagram.Box) -> PictureBox.Extent?
  ) {
    boxes = diagram.boxes.compactMap { box in extent(box).map { PictureBox(box, marks, $0) } }
    let shown = Set(boxes.map(\.identifier))
    lines = diagram.lines.filter { shown.contains($0.from) && shown.contains($0.to) }
      .map { PictureLine($0, in: diagram, marks) }
  }

  /// Returns the lines for a layout in which boxes have other numbers.
  func edges(_ numbers: [String: Int]) -> [LayeredLayout.Edge] {
    let byIdentifier = Dictionary(
      boxes.map { ($0.identifier, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return lines.compactMap { line in
      guard let from = numbers[line.line.from], let to = numbers[line.line.to],
        let fromBox = byIdentifier[line.line.from], let toBox = byIdentifier[line.line.to]
      else { return nil }
      return LayeredLayout.Edge(
        from: from,
        fromOffset: fromBox.port(line.fromProperty),
        to: to,
        toOffset: toBox.port(line.toProperty)
      )
    }
  }

  /// The description for readers who cannot see the picture.
  var summary: String {
    boxes.map { box in
      guard let note = box.note else { return box.name }
      return "\(box.name) (\(note.mark.rawValue))"
    }
    .joined(separator: ", ")
  }
}
