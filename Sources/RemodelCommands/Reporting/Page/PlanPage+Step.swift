import RemodelKit

extension PlanPage {
  /// Returns the section of a step: its preconditions, locks, statements and retained objects.
  func section(_ index: Int) -> Markup {
    let step = steps[index]
    let identifier: Markup = "step-\(index + 1)"
    let way = "\(versionName(step.source?.name)) to \(versionName(step.destination.name))"
    return """
      <section id="\(identifier)" aria-labelledby="\(identifier)-title">
      <h2 id="\(identifier)-title">\(steps.count == 1 ? "Statements" : "Step \(index + 1): \(way)")</h2>
      <p>\(work(of: step))</p>
      \(preconditions(of: step))\(waits(in: index))\(lockedTables(of: step))\
      \(rehearsal(of: index))\(statements(of: step, index))\(retained(by: step))</section>

      """
  }

  private func work(of step: MigrationStep) -> String {
    guard !step.isMetadataOnly else { return "Only the metadata changes." }
    var sentence = counted(step.allStatements.count, "statement")
    if step.isCopyJob {
      sentence +=
        " in many transactions; the rows are copied by strategy \(step.strategy.rawValue)."
    } else if step.hasDeferredWork {
      sentence += ": one transaction changes the version, the others run beside the service."
    } else if step.isInParts {
      sentence += " in \(counted(step.transactions.count, "transaction"))."
    } else {
      sentence += " in one transaction: all of it happens, or nothing."
    }
    if !step.passedVersions.isEmpty {
      let names = step.passedVersions.map { "\"\($0)\"" }.joined(separator: ", ")
      sentence += " It leads over \(names) at once."
    }
    return sentence
  }

  // MARK: - Preconditions

  private func preconditions(of step: MigrationStep) -> Markup {
    guard !step.preconditions.isEmpty else { return "" }
    return """
      <h3>What the rows have to be like</h3>
      <ul class="plain">
      \(step.preconditions.map(item))</ul>

      """
  }

  private func item(_ precondition: PlannedPrecondition) -> Markup {
    let finding = report.finding(of: precondition)
    let state: (name: Markup, text: String) =
      switch finding?.count {
      case nil: ("unknown", "not checked")
      case 0: ("fine", "holds")
      case let count?: ("stop", "\(Self.grouped(count, "row")) in the way")
      }
    var more = Markup()
    if finding?.isViolated ?? false {
      more += "<p>What to do: \(precondition.remedy)</p>"
      if let keys = finding?.sampleKeys { more += "<p>Keys: <code>\(keys)</code></p>" }
    }
    return """
      <li class="note \(state.name)"><p><span class="badge \(state.name)">\(state.text)</span> \
      \(precondition.requirement)</p>\(more)\
      <details><summary>How the rows are asked</summary>\(Self.code(precondition.query.text))</details></li>

      """
  }

  // MARK: - Locks

  private func lockedTables(of step: MigrationStep) -> Markup {
    guard !step.lockedTables.isEmpty else { return "" }
    let items = step.lockedTables.map { table -> Markup in
      "<li>\(Self.lock(table.mode)) <span class=\"name\">\(table.name.name.name)</span></li>"
    }
    return """
      <h3>Locked before all else, until the transaction ends</h3>
      <ul class="locks">\(items)</ul>

      """
  }

  /// Returns the name of a lock, marked by its strength.
  static func lock(_ mode: LockMode) -> Markup {
    let kind: Markup =
      mode == .accessExclusive ? "readers" : mode >= .share ? "writers" : "nobody"
    return "<span class=\"lock \(kind)\">\(mode.name)</span>"
  }

  // MARK: - Retained

  private func retained(by step: MigrationStep) -> Markup {
    guard !step.retained.isEmpty else { return "" }
    return """
      <h3>Kept although the version does not have it</h3>
      <ul class="changes">
      \(step.retained.map { "<li>\($0.summary)</li>\n" as Markup })</ul>

      """
  }

  /// Returns SQL in a box of its own.
  static func code(_ sql: String) -> Markup {
    "<pre tabindex=\"0\"><code>\(SQLToken.markup(sql))</code></pre>"
  }
}
