import RemodelKit

extension PlanPage {
  /// The current obstacles, if there are any.
  var obstacles: Markup {
    guard let obstacles = report.activity?.obstacles, !obstacles.isEmpty else { return "" }
    return """
      <div class="note stop"><h3>In the way now</h3>
      <ul>\(obstacles.map { "<li>\($0.text)</li>\n" as Markup })</ul></div>

      """
  }

  /// The rest of the current activity, in a line.
  var present: Markup {
    guard let activity = report.activity else { return "" }
    let count = activity.obstacles.count
    let way =
      count == 0 ? "no session is in the way" : "\(counted(count, "obstacle")), as listed below"
    let sight: Markup =
      activity.seesOthers
      ? ""
      : "<br/><span class=\"dim\">The role sees little of others; GRANT pg_read_all_stats shows more.</span>"
    return "\(way)\(sight)"
  }

  /// Returns how many rows are written to a table in a second, where that is known and not next to none.
  func writeRate(of block: TableBlock) -> String {
    guard let rate = report.activity?.rowsWrittenPerSecond[block.table.name.name],
      rate >= 0.1
    else { return "" }
    return
      "about \(rate < 10 ? String((rate * 10).rounded() / 10) : String(Int(rate))) rows a second are written to it"
  }
}
