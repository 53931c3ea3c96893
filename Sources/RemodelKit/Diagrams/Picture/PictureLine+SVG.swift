extension PictureLine {
  /// Returns the line between two boxes with the symbols at its ends: a foot for many, a bar for
  /// one, a circle for none.
  func drawn(from: DiagramPicture.PlacedBox, to: DiagramPicture.PlacedBox) -> Markup {
    let isInside = from.place.x == to.place.x
    var start = End(from, fromProperty, isRight: isInside || from.place.x < to.place.x)
    var end = End(to, toProperty, isRight: isInside || to.place.x < from.place.x)
    if isInside, start.y == end.y {
      // A line from a row to itself needs room for its bend.
      start.y -= 6
      end.y += 8
    }
    var signs = Markup()
    switch line.kind {
    case .inheritance:
      signs += end.triangle
    case .composition:
      signs += start.diamond
    case .relationship(let one, let inverse):
      signs += end.foot(isMany: one.isMany, isOptional: one.isOptional)
      if let inverse {
        signs += start.foot(isMany: inverse.isMany, isOptional: inverse.isOptional)
      }
    }
    let sign: Markup =
      mark.map { mark in
        let (x, y) = start.middle(end)
        return "<text class=\"sign mid\" x=\"\(x)\" y=\"\(y + 4)\">\(mark.sign)</text>"
      } ?? ""
    return """
      <g class="\(mark.map { "line \($0.rawValue)" } ?? "line" as Markup)">\
      <path d="\(start.path(to: end))"/>\(signs)\(sign)</g>

      """
  }

  /// The point where a line meets a box.
  private struct End {
    let x: Int
    var y: Int
    /// The direction away from the box.
    let away: Int

    /// The length of a line before its first bend.
    static let stub = 20

    init(_ box: DiagramPicture.PlacedBox, _ property: String?, isRight: Bool) {
      x = isRight ? box.x + box.place.width : box.x
      y = box.y + box.box.port(property)
      away = isRight ? 1 : -1
    }

    func path(to end: End) -> Markup {
      let (first, last) = (x + away * Self.stub, end.x + end.away * Self.stub)
      // Loops of one column extend in proportion to their length, so that they are distinguishable.
      let isLoop = away == end.away
      let swing = isLoop ? min(34, 12 + abs(y - end.y) / 12) : abs(last - first) / 2
      return """
        M\(x) \(y)H\(first)C\(first + away * swing) \(y) \(last + end.away * swing) \(end.y) \
        \(last) \(end.y)H\(end.x)
        """
    }

    func middle(_ end: End) -> (x: Int, y: Int) {
      let swing = away == end.away ? Self.stub + min(34, 12 + abs(y - end.y) / 12) * 3 / 4 : 0
      return ((x + end.x) / 2 + away * swing, (y + end.y) / 2)
    }

    func foot(isMany: Bool, isOptional: Bool) -> Markup {
      let near = isMany ? 10 : 7
      var result: Markup =
        isMany
        ? "<path d=\"M\(x) \(y - 5)L\(x + away * 10) \(y)L\(x) \(y + 5)\"/>"
        : "<path d=\"M\(x + away * 7) \(y - 5)v10\"/>"
      let next = x + away * (near + 4)
      result +=
        isOptional
        ? "<circle cx=\"\(next)\" cy=\"\(y)\" r=\"3.5\"/>"
        : "<path d=\"M\(next - away) \(y - 5)v10\"/>"
      return result
    }

    var triangle: Markup {
      "<path class=\"open\" d=\"M\(x) \(y)l\(away * 11) -6v12Z\"/>"
    }

    var diamond: Markup {
      "<path class=\"full\" d=\"M\(x) \(y)l\(away * 7) -4l\(away * 7) 4l\(-away * 7) 4Z\"/>"
    }
  }
}
