/// A line of a picture, with its label and its position.
struct PictureLine: Hashable, Sendable {
  let line: EntityDiagram.Line
  /// The properties whose rows it joins.
  let fromProperty: String?
  let toProperty: String?
  let mark: DiagramMarks.Mark?

  init(_ line: EntityDiagram.Line, in diagram: EntityDiagram, _ marks: DiagramMarks) {
    self.line = line
    let names = Dictionary(
      diagram.boxes.map { ($0.identifier, $0.name) },
      uniquingKeysWith: { first, _ in first }
    )
    let (from, to) = (names[line.from] ?? "", names[line.to] ?? "")
    var found: [DiagramMarks.Mark?] = []
    switch line.kind {
    case .inheritance:
      (fromProperty, toProperty) = (nil, nil)
      found = [marks.note(ofEntity: from)?.mark.ofWhole, marks.note(ofEntity: to)?.mark.ofWhole]
    case .composition(let attribute):
      (fromProperty, toProperty) = (nil, nil)
      found = [
        marks.note(ofEntity: from)?.mark.ofWhole,
        marks.note(ofProperty: attribute, of: from)?.mark.ofWhole,
      ]
    case .relationship(let end, let inverse):
      fromProperty = end.name
      toProperty = inverse?.name
      found = [marks.note(ofProperty: end.name, of: from)?.mark]
      if let inverse { found.append(marks.note(ofProperty: inverse.name, of: to)?.mark) }
      found += [marks.note(ofEntity: from)?.mark.ofWhole, marks.note(ofEntity: to)?.mark.ofWhole]
    }
    let order: [DiagramMarks.Mark] = [.added, .removed, .renamed, .changed]
    mark = order.first { found.contains($0) }
  }
}

extension DiagramMarks.Mark {
  /// The mark if it is one of coming and going, which takes all with it that hangs on it.
  fileprivate var ofWhole: DiagramMarks.Mark? {
    switch self {
    case .added, .removed: self
    case .renamed, .changed: nil
    }
  }
}
