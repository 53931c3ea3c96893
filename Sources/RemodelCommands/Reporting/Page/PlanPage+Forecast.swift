import RemodelKit

extension PlanPage {
  /// The position of a statement in the plan.
  struct Position: Hashable {
    /// The step, from zero.
    let step: Int
    /// The number among all statements of the step, from 1 on.
    let number: Int

    /// The identifier of the statement in the page.
    var identifier: Markup { "statement-\(step + 1)-\(number)" }
  }

  /// Returns who waits for which table in a step, where that is longer than a moment.
  func waits(in index: Int) -> Markup {
    guard report.forecast.steps.indices.contains(index) else { return "" }
    let noticed = report.forecast.steps[index].blocks.filter { $0.writers > .about(0.1) }
    guard !noticed.isEmpty else { return "" }
    let rows = noticed.sorted { $0.writers > $1.writers }.map { block -> Markup in
      """
      <tr><th scope="row"><span class="name">\(block.table.name.name)</span></th>\
      <td>\(block.readers.text)</td><td>\(block.writers.text)</td>\
      <td>\(link(toLongestOf: block, in: index))</td></tr>

      """
    }
    return """
      <h3>For how long others wait</h3>
      <div class="table" tabindex="0"><table>
      <thead><tr><th scope="col">Table</th><th scope="col">Readers</th><th scope="col">Writers</th>\
      <th scope="col">Most of it</th></tr></thead>
      <tbody>\(rows)</tbody></table></div>

      """
  }

  /// Returns a link to the statement that others wait for longest.
  func link(toLongestOf block: TableBlock, in index: Int) -> Markup {
    guard let statement = block.longestStatement else { return "" }
    let position = Position(step: index, number: statement + 1)
    return "<a href=\"#\(position.identifier)\">statement \(position.number)</a>"
  }

  /// Returns the cost of a statement, if it takes more than a moment.
  static func cost(of forecast: StatementForecast) -> Markup {
    guard let seconds = forecast.seconds else {
      return "<span class=\"dim\">not known</span>"
    }
    guard seconds >= 0.05 else { return "" }
    var parts: [String] = []
    if let rows = forecast.rows, rows > 0 { parts.append("reads \(grouped(rows, "row"))") }
    for (name, bytes) in [("writes", forecast.writtenBytes), ("log", forecast.logBytes)] {
      if let bytes, bytes > 0 { parts.append("\(name) \(byteCount(bytes))") }
    }
    return """
      \(estimateText(seconds)) <span class="dim">\(parts.joined(separator: ", "))</span>
      """
  }

  /// Returns a number with its noun, its digits in groups of three.
  static func grouped(_ count: Int, _ noun: String) -> String {
    let digits = Array(String(abs(count)))
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return "\(text) \(count == 1 ? noun : noun + "s")"
  }
}
