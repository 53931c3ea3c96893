import RemodelKit

/// A fact to decide on, in words that all forms of a plan share.
struct DecisionLine: Hashable, Sendable {
  /// SQL, or a call of the command line, that the words begin with; empty if there is none.
  var code = ""
  /// The words; names in them are not escaped.
  let text: String
  /// The statements that cause it.
  var statements: [StatementReference] = []
}

extension PlanDecision {
  /// The headings of the lists, the same in all forms.
  enum Heading {
    static let waits = "Who waits"
    static let losses = "Lost for good"
    static let breakages = "Breaks the previous release"
    static let rows = "Rows in the way"
    static let wayBack = "The way back"
    static let next = "What comes next"
    static let rowChecks = "Row checks"
  }

  /// The most entries of a list that the head of a plan shows.
  static let shownCount = 5

  /// Returns the place of statements in the plan: `statement 2`, or `statement 2 of step 1`.
  func place(of statements: [StatementReference]) -> String {
    guard let first = statements.first else { return "" }
    let step = wayBack.stepCount > 1 ? " of step \(first.step + 1)" : ""
    let numbers = statements.filter { $0.step == first.step }.map { "\($0.statement + 1)" }
    return numbers.count == 1
      ? "statement \(numbers[0])\(step)"
      : "statements \(numbers.prefix(3).joined(separator: ", "))"
        + "\(numbers.count > 3 ? ", …" : "")\(step)"
  }

  // MARK: - Lists

  /// Who waits for which table; empty if nobody waits for longer than a moment.
  var waitLines: [DecisionLine] {
    waits.map { wait in
      let rate = wait.rowsWrittenPerSecond.flatMap { rate in
        rate >= 0.1
          ? "; \((rate * 10).rounded() / 10) rows a second are written to it on average" : nil
      }
      return DecisionLine(
        text: "table \"\(wait.table.name)\": \(wait.durations)\(rate ?? "")",
        statements: [wait.cause].compactMap(\.self)
      )
    }
  }

  /// What is lost for good, by name.
  var lossLines: [DecisionLine] {
    losses.map { DecisionLine(text: $0.text, statements: [$0.statement]) }
  }

  /// How to keep what is lost, where an option would; `nil` where none does.
  var retainHint: String? {
    guard losses.contains(where: \.isRemoval) else { return nil }
    let what =
      losses.allSatisfy(\.isRemoval) ? "these values" : "the values that the model no longer has"
    return "with --removals retain, the database keeps \(what) until \"remodel cleanup\" drops them"
  }

  /// What breaks the release that still runs on the previous version.
  var breakageLines: [DecisionLine] { breakages.map(line) }

  /// The same for the head of a plan: those that read alike are one.
  var distinctBreakageLines: [DecisionLine] {
    var places: [[String?]: Int] = [:]
    return breakageLines.reduce(into: []) { lines, line in
      if let index = places[[line.code, line.text]] {
        let new = line.statements.filter { !lines[index].statements.contains($0) }
        lines[index].statements += new
      } else {
        places[[line.code, line.text]] = lines.count
        lines.append(line)
      }
    }
  }

  private func line(_ breakage: Breakage) -> DecisionLine {
    let effect =
      switch breakage.failing.effect {
      case .fails: "fails"
      case .mayFail: "may fail: \(breakage.change)"
      case .differs: "finds other rows: \(breakage.change)"
      }
    return DecisionLine(
      code: breakage.failing.sql.text,
      text: effect,
      statements: [breakage.statement]
    )
  }

  /// What the rows do not allow, each with the query for all that are in the way.
  var rowLines: [DecisionLine] {
    rowsInTheWay.flatMap { check in
      [DecisionLine(text: check.text, statements: check.statements)]
        + (check.queryText.map { [DecisionLine(code: $0, text: "")] } ?? [])
    }
  }

  /// Returns some lines for the head of a plan under one label, those that are too many left out.
  func rows(_ label: String, _ lines: [DecisionLine]) -> [(label: String, text: String)] {
    var rows = lines.prefix(Self.shownCount).map { text(of: $0) }
    if lines.count > Self.shownCount {
      rows.append("and \(lines.count - Self.shownCount) more")
    }
    return rows.enumerated().map { ($0 == 0 ? label : "", $1) }
  }

  /// Returns a line with its code and the place of its statements.
  func text(of line: DecisionLine) -> String {
    let place = place(of: line.statements)
    let words = [line.code, line.text].filter { !$0.isEmpty }.joined(separator: "  ")
    return place.isEmpty ? words : "\(words) (\(place))"
  }

  // MARK: - The way back

  /// What `revert` would do, and what is retained for it; empty if there is nothing to take back.
  var wayBackLines: [DecisionLine] {
    guard let first = revertLine else { return [] }
    var lines = [first]
    for item in wayBack.retained.prefix(Self.shownCount) {
      lines.append(DecisionLine(text: "retained until cleanup: \(item.object.summary)"))
    }
    if wayBack.retained.count > Self.shownCount {
      lines.append(DecisionLine(text: "and \(wayBack.retained.count - Self.shownCount) more"))
    }
    return lines
  }

  /// Returns a call about the store of the plan, as it is where the plan has none; `nil` if the options do not
  /// lead to it.
  func completing(_ call: CommandCall) -> CommandCall? {
    guard origin.database != nil else { return call }
    return StoreOptions.current.of(origin.schema).completing(call)
  }

  private var revertLine: DecisionLine? {
    let version = versionName(wayBack.version)
    let revert = CommandCall("revert")
    let call = next.revert ?? completing(revert)?.text
    func line(_ text: String) -> DecisionLine { .init(call, of: revert, text: text) }
    switch wayBack.revert {
    case .nothing: return nil
    case .noVersionBefore: return DecisionLine(text: "none: there is no version before")
    case .restoresAll:
      return line(
        "restores \(version) with all its rows and columns; what was added since is retained"
      )
    case .restoresSome:
      return line("restores \(version) without what is lost for good")
    case .untilWritten:
      return line(
        "restores \(version) as long as nobody has written to the new tables; then it needs a "
          + "mapping model back"
      )
    case .byMappingModel:
      return line("runs the mapping model back to \(version)")
    case .needsMapping:
      return DecisionLine(text: "none: to go back to \(version), write a mapping model")
    case .migration: return DecisionLine(text: "migrate leads to \(version) again")
    }
  }

  // MARK: - What comes next

  /// The calls that come next; empty if there is none.
  var nextLines: [DecisionLine] {
    if let again = next.planAgain {
      return [
        DecisionLine(
          code: again,
          text: "makes the plan again; until it may run, \"remodel migrate\" changes nothing"
        )
      ]
    }
    guard let run = next.run else { return [] }
    // A revert has no digest to require.
    let effect =
      next.approve == nil
      ? "makes the plan again from what the database has then, and runs it"
      : "runs exactly this plan"
    return [DecisionLine(code: run, text: effect)]
      + (next.approve.map {
        [DecisionLine(code: $0, text: "also records who has approved it")]
      } ?? []) + (isCopy ? [cancelLine] : [])
  }

  /// What a copy job that is stopped means for others.
  static let beforeSwitch =
    "Until the switch at its end, the application uses the tables as they were."

  /// What is left of a run that is stopped midway.
  private var cancelLine: DecisionLine {
    let cancel = CommandCall("job cancel")
    return DecisionLine(
      completing(cancel)?.text,
      of: cancel,
      text:
        "removes what a stopped run has done; the same call as before continues it. \(Self.beforeSwitch)"
    )
  }
}

extension DecisionLine {
  /// Creates a line that begins with a call, or with words where none names the store.
  fileprivate init(_ code: String?, of call: CommandCall, text: String) {
    self.init(code: code ?? "", text: code == nil ? "\(call.wordsForOneStore) \(text)" : text)
  }
}

extension PlanDecision.Wait {
  /// For how long readers and writers wait: together where that is the same.
  var durations: String {
    if readers == writers { return "readers and writers wait \(readers.waitText)" }
    return "readers wait \(readers.waitText), writers \(writers.waitText)"
  }
}

extension BlockedTime {
  /// The time, after "wait".
  fileprivate var waitText: String {
    switch self {
    case .none: "not at all"
    case .about(let seconds): "for \(estimateText(seconds)) at most"
    case .notKnown: "for as long as its unknown size takes"
    }
  }
}

extension PlanDecision.Loss {
  /// What is lost, by name, with how much.
  var text: String {
    guard let data else {
      return "not known: authored SQL runs, and may delete anything"
    }
    return switch data.kind {
    case .values: "values of \(data.name) in \(count.text("row"))"
    case .rows: "rows of \(data.name): \(count.text("row"))"
    case .links: "links of \(data.name): \(count.text("link"))"
    case .replacedRows:
      "rows of \(data.name) as they are now, of which the mapping makes new ones: "
        + count.text("row")
    }
  }
}

extension DataLoss.Kind {
  /// What is lost.
  var noun: String {
    switch self {
    case .rows: "rows"
    case .values: "values"
    case .links: "links"
    case .replacedRows: "the former rows"
    }
  }
}

extension PlanOrigin {
  /// The database with its server, and the time, in a line.
  var text: String {
    let kind = server?.host.hasPrefix("/") ?? false ? "socket " : ""
    let address = server.map { " on \(kind)\"\($0.host)\", port \($0.port)" } ?? ""
    return "\"\(database)\"\(address), PostgreSQL \(server?.version ?? "\(serverMajor)"), "
      + "as \"\(role)\", \(time)"
  }
}

extension DataLoss {
  /// The name in the model, or in the database where the model has none.
  var name: String {
    if let property = propertyName, let entity = entityNames.first {
      return "\(entity).\(property)"
    }
    if !entityNames.isEmpty, column == nil { return entityNames.joined(separator: ", ") }
    return column.map { "column \"\($0)\" of table \"\(table)\"" } ?? "table \"\(table)\""
  }
}

/// The same as `counted`, where a case has that name.
private func numbered(_ count: Int, _ noun: String) -> String { counted(count, noun) }

extension PlanDecision.RowCount {
  /// The number, marked where it is an estimate.
  func text(_ noun: String) -> String {
    switch self {
    case .counted(let count): numbered(count, noun)
    case .about(let count): "up to \(numbered(count, noun)), by estimate"
    case .notKnown: "nobody knows how many"
    }
  }
}

extension PlanDecision.RowCheck {
  /// What the rows do not allow, and the keys of a few of them.
  var text: String {
    let keys = exampleKeys.isEmpty ? "" : "; keys \(keyText)"
    let note = countNote.map { ", counting \($0)" } ?? ""
    return "\(counted(count ?? 0, "row")) in the way\(note): \(condition.requirement)\(keys)"
  }

  /// Which rows are counted, where it could be fewer; `nil` otherwise.
  var countNote: String? {
    condition.coreDataError == 134_111 ? "every row that shares its value with others" : nil
  }

  /// The keys of a few rows as SQL writes them, so that nothing in them has a meaning.
  var keyText: String {
    let more = (count ?? 0) > exampleKeys.count ? ", …" : ""
    return exampleKeys.map(\.asKey).joined(separator: ", ") + more
  }

  /// The query for all of the keys, as psql runs it.
  var queryText: String? { query.map { "\(ReadableSQL($0.text).text);" } }
}

extension String {
  /// The text of a key as SQL: a number as it is, everything else as a string.
  fileprivate var asKey: String {
    let isNumber = !isEmpty && utf8.count < 20 && utf8.allSatisfy { (48...57).contains($0) }
    return isNumber ? self : ReadableSQL(SQLLiteral.text(self).quoted).text
  }
}
