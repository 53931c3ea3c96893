/// A box of a picture: a name, and a line for everything that is worth one.
struct PictureBox: Hashable, Sendable {
  /// The extent to which an entity is shown.
  enum Extent: Hashable, Sendable {
    /// All that it has.
    case everything
    /// The differences, and the number of other properties.
    case differences
    /// Its name.
    case name
  }

  /// A line of a box.
  struct Row: Hashable, Sendable {
    /// The kinds of lines.
    enum Kind: String, Hashable, Sendable {
      case attribute, relationship
      /// A difference of the entity itself.
      case remark
    }

    let kind: Kind
    /// The property; none for a line that stands for several.
    let property: String?
    let note: DiagramMarks.Note?
    let name: String
    let detail: String
    /// The whole, where not all of it is shown.
    let fullText: String?
  }

  let identifier: String
  let name: String
  let kind: String?
  let note: DiagramMarks.Note?
  let rows: [Row]
  let extent: Extent

  static let rowHeight = 19
  static let headHeight = 28
  static let padding = 10
  /// The indentation of texts, after the signs.
  static let indentation = 24
  fileprivate static let nameLimit = 34
  private static let detailLimit = 24

  /// Shows an entity or a composite.
  init(_ box: EntityDiagram.Box, _ marks: DiagramMarks, _ extent: Extent) {
    identifier = box.identifier
    self.extent = extent
    let isComposite = box.kind == "composite"
    let note = isComposite ? nil : marks.note(ofEntity: box.name)
    self.note = note
    name = DiagramText.cut(box.name, to: Self.nameLimit)
    let names = [
      box.kind, note?.otherName.map { marks.side == .before ? "now \($0)" : "was \($0)" },
    ]
    let kind = names.compactMap(\.self).joined(separator: ", ")
    self.kind = kind.isEmpty ? nil : DiagramText.cut(kind, to: Self.nameLimit)
    guard extent != .name else {
      rows = []
      return
    }
    func row(_ property: String, _ detail: String, _ kind: Row.Kind) -> Row {
      let note = isComposite ? nil : marks.note(ofProperty: property, of: box.name)
      let name =
        note?.otherName
        .map { marks.side == .before ? "\(property) → \($0)" : "\(property) ← \($0)" } ?? property
      let shown = DiagramText.cut(name, to: Self.nameLimit)
      let shownDetail = DiagramText.cut(detail, to: Self.detailLimit)
      return Row(
        kind: kind,
        property: property,
        note: note,
        name: shown,
        detail: shownDetail,
        fullText: shown == name && shownDetail == detail ? nil : "\(name): \(detail)"
      )
    }
    let all =
      box.properties.flatMap { property in
        [row(property.name, property.detail, .attribute)]
          + (isComposite ? [] : marks.labels[box.name]?[property.name] ?? []).map {
            Row($0, kind: .attribute, detail: "label")
          }
      }
      + box.relationships.map { relationship in
        let order = relationship.end.isOrdered ? " ordered" : ""
        return row(
          relationship.end.name,
          "\(relationship.end.count) \(relationship.destinationName)\(order)",
          .relationship
        )
      }
      + (isComposite ? [] : marks.remarks[box.name] ?? []).map { Row($0) }
    let isWhole = extent == .everything || note?.mark == .added || note?.mark == .removed
    rows = isWhole ? all : Self.differences(in: all)
  }

  private static func differences(in rows: [Row]) -> [Row] {
    let marked = rows.filter { $0.note != nil }
    let rest = rows.count - marked.count
    // A line "1 more" would take as much room as the property itself.
    guard rest > 1 else { return rows }
    let remainder = Row(
      kind: marked.last?.kind ?? .attribute,
      property: nil,
      note: nil,
      name: marked.isEmpty ? "\(rest) properties" : "\(rest) more, unchanged",
      detail: "",
      fullText: nil
    )
    return marked + [remainder]
  }

  // MARK: - Sizes

  var headHeight: Int { Self.headHeight + (kind == nil ? 0 : 15) }

  /// The positions between lines of different kinds.
  var dividers: [Int] {
    rows.indices.dropFirst().filter { rows[$0].kind != rows[$0 - 1].kind }
  }

  var size: LayeredLayout.Node {
    let widths =
      rows.map { row in
        let gap = row.detail.isEmpty ? 0 : 18
        return Self.indentation + DiagramText.width(row.name, unit: DiagramText.rowUnit) + gap
          + DiagramText.width(row.detail, unit: DiagramText.rowUnit) + Self.padding
      }
      + [
        Self.indentation + DiagramText.width(name, unit: DiagramText.nameUnit) + Self.padding,
        Self.indentation + DiagramText.width(kind ?? "", unit: DiagramText.rowUnit) + Self.padding,
      ]
    let height = headHeight + (rows.isEmpty ? 0 : rows.count * Self.rowHeight + 6)
    return LayeredLayout.Node(width: max(110, widths.max() ?? 0), height: height)
  }

  /// Returns how far below the top a row begins.
  func top(ofRow index: Int) -> Int { headHeight + 3 + index * Self.rowHeight }

  /// Returns how far below the top lines of a property end: at its row, or at the name.
  func port(_ property: String?) -> Int {
    guard let property,
      let index = rows.firstIndex(where: { $0.kind == .relationship && $0.property == property })
    else { return Self.headHeight / 2 }
    return top(ofRow: index) + Self.rowHeight / 2
  }
}

extension PictureBox.Row {
  fileprivate init(
    _ remark: DiagramMarks.Remark,
    kind: PictureBox.Row.Kind = .remark,
    detail: String = ""
  ) {
    let name = DiagramText.cut(remark.text, to: PictureBox.nameLimit)
    self.init(
      kind: kind,
      property: nil,
      note: DiagramMarks.Note(mark: remark.mark),
      name: name,
      detail: detail,
      fullText: name == remark.text ? nil : remark.text
    )
  }
}
