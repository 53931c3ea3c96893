extension EntityDiagram {
  /// The diagram as a picture by itself, which follows the reader's choice of light and dark.
  package var svg: String {
    let picture = DiagramPicture(
      self,
      DiagramMarks(),
      title: "Entity diagram",
      preferredWidth: 1_200
    )
    return picture.file.text
  }
}

extension DiagramPicture {
  /// The picture as a file of its own.
  var file: Markup {
    """
    <svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" \
    width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
    <title>\(title)</title>
    <desc>\(summary)</desc>
    <style>\(DiagramStyle.colours)\(DiagramStyle.rules)</style>
    <rect class="paper" width="\(width)" height="\(height)"/>
    \(content)</svg>

    """
  }

  /// Returns the picture as a part of a page that has its style.
  ///
  /// - Parameter identifier: What names the picture in the page.
  /// - Returns: The picture.
  package func inline(_ identifier: String) -> Markup {
    """
    <svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" \
    aria-labelledby="\(identifier)-title \(identifier)-desc" \
    width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
    <title id="\(identifier)-title">\(title)</title>
    <desc id="\(identifier)-desc">\(summary)</desc>
    \(content)</svg>
    """
  }

  private var content: Markup {
    let byIdentifier = Dictionary(
      boxes.map { ($0.box.identifier, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var result = Markup()
    for line in lines {
      guard let from = byIdentifier[line.line.from], let to = byIdentifier[line.line.to] else {
        continue
      }
      result += line.drawn(from: from, to: to)
    }
    for box in boxes { result += box.drawn }
    return result
  }
}

extension Optional<DiagramMarks.Note> {
  /// The classes of something that may be marked.
  fileprivate func classes(_ name: Markup) -> Markup {
    guard let self else { return name }
    return "\(name) \(self.mark.rawValue)"
  }
}

extension DiagramPicture.PlacedBox {
  var x: Int { place.x + DiagramPicture.margin }
  var y: Int { place.y + DiagramPicture.margin }

  fileprivate var drawn: Markup {
    let head = box.headHeight
    let width = place.width
    let shape: Markup =
      box.rows.isEmpty
      ? "<rect class=\"head\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(head)\" rx=\"6\"/>"
      : """
      <path class="head" d="M\(x) \(y + head)V\(y + 6)a6 6 0 0 1 6 -6H\(x + width - 6)\
      a6 6 0 0 1 6 6V\(y + head)Z"/>
      """
    let sign: Markup =
      box.note.map { note in
        "<text class=\"sign\" x=\"\(x + 9)\" y=\"\(y + 19)\">\(note.mark.sign)</text>"
      } ?? ""
    let kind: Markup =
      box.kind.map { kind in
        "<text class=\"kind\" x=\"\(textX)\" y=\"\(y + 34)\">\(kind)</text>"
      } ?? ""
    let dividers = box.dividers.map { index -> Markup in
      let dividerY = y + box.top(ofRow: index)
      return "<path class=\"rule\" d=\"M\(x) \(dividerY)h\(width)\"/>"
    }
    return """
      <g class="\(box.note.classes(box.extent == .name ? "box aside" : "box"))">\
      <rect class="sheet" x="\(x)" y="\(y)" width="\(width)" height="\(height)" rx="6"/>\(shape)\
      \(sign)<text class="name" x="\(textX)" y="\(y + 19)">\(box.name)</text>\(kind)</g>
      \(box.rows.indices.map(row))\(dividers)\
      <rect class="\(box.note.classes("frame"))" \
      x="\(x)" y="\(y)" width="\(width)" height="\(height)" rx="6"/>

      """
  }

  private var textX: Int { x + PictureBox.indentation }

  private func row(_ index: Int) -> Markup {
    let row = box.rows[index]
    let top = y + box.top(ofRow: index)
    let baseline = top + 14
    var result = Markup()
    if let note = row.note {
      result += """
        <rect class="band" x="\(x + 1)" y="\(top)" width="\(place.width - 2)" \
        height="\(PictureBox.rowHeight)"/>\
        <text class="sign" x="\(x + 9)" y="\(baseline)">\(note.mark.sign)</text>
        """
    }
    let full: Markup = row.fullText.map { "<title>\($0)</title>" } ?? ""
    let name: Markup = row.note == nil && row.property == nil ? "detail" : "\(row.kind.rawValue)"
    result += "<text class=\"\(name)\" x=\"\(textX)\" y=\"\(baseline)\">\(row.name)\(full)</text>"
    if !row.detail.isEmpty {
      let end = x + place.width - PictureBox.padding
      result +=
        "<text class=\"detail end\" x=\"\(end)\" y=\"\(baseline)\">\(row.detail)\(full)</text>"
    }
    return "<g class=\"\(row.note.classes("row"))\">\(result)</g>\n"
  }
}
