import RemodelKit

extension PlanPage {
  /// The changes of the model: pictures before and after, and every change.
  var model: Markup {
    guard let last = steps.last else { return "" }
    let source = steps.first?.source?.projection.model
    let destination = last.destination.projection.model
    let difference = ModelDifference(from: source ?? destination, to: destination)
    let comparison = DiagramComparison(from: source, to: destination, difference)
    return """
      <section id="model" aria-labelledby="model-title">
      <h2 id="model-title">Model</h2>
      \(introduction(source, difference, comparison))\(pictures(comparison))\(changes(difference))\
      </section>

      """
  }

  private func introduction(
    _ source: ManagedObjectModel?,
    _ difference: ModelDifference,
    _ comparison: DiagramComparison
  ) -> Markup {
    guard source != nil else {
      return "<p>The schema is empty; everything is created.</p>\n"
    }
    guard !difference.changes.isEmpty else {
      return "<p>The model stays as it is.</p>\n"
    }
    let shown: Markup =
      comparison.shownCount < comparison.totalCount
      ? " Shown are \(comparison.shownCount) of \(comparison.totalCount) entities: those that differ, and their neighbors."
      : ""
    return """
      <p>\(counted(difference.changes.count, "change")). What is the same stands at the same place.\
      \(shown)</p>
      <ul class="legend">\
      <li class="added"><span>+</span> added</li><li class="removed"><span>−</span> removed</li>\
      <li class="renamed"><span>→</span> renamed</li><li class="changed"><span>~</span> changed</li>\
      </ul>

      """
  }

  private func pictures(_ comparison: DiagramComparison) -> Markup {
    guard let before = comparison.before(named: "diagram-before") else {
      return figure(comparison.after(named: "diagram-after"), nil)
    }
    let arrangement: Markup = comparison.isWide ? "pair wide" : "pair"
    let whole: Markup =
      comparison.whole(named: "diagram-whole").map { picture in
        """
        <details><summary>All \(comparison.totalCount) entities</summary>
        \(figure(picture, nil))</details>

        """
      } ?? ""
    return """
      <div class="\(arrangement)">
      \(figure(before, "Before: \(versionName(report.source?.name))"))\
      \(figure(comparison.after(named: "diagram-after"), "After: \(versionName(report.target.name))"))\
      </div>
      \(whole)
      """
  }

  private func figure(_ picture: InlinePicture, _ caption: String?) -> Markup {
    let text: Markup = caption.map { "<figcaption>\($0)</figcaption>" } ?? ""
    return """
      <figure>\(text)<div class="scroll" tabindex="0" style="--width:\(picture.width)px">
      \(picture.markup)</div></figure>

      """
  }

  private func changes(_ difference: ModelDifference) -> Markup {
    guard !difference.changes.isEmpty else { return "" }
    let items = difference.changes.map { change -> Markup in
      let sign = change.kind.sign
      return """
        <li class="\(sign.name)"><span class="sign" aria-hidden="true">\(sign.text)</span>\
        <span>\(change.description)</span></li>

        """
    }
    // A short list is shown, and a long one can be unfolded.
    let list: Markup = "<ul class=\"changes\">\n\(items)</ul>\n"
    guard items.count > 30 else { return "<h3>Changes</h3>\n\(list)" }
    return "<details><summary>All \(items.count) changes</summary>\n\(list)</details>\n"
  }
}

extension ModelChange.Kind {
  /// The mark of a change in a list, as in the pictures.
  fileprivate var sign: (name: Markup, text: String) {
    switch self {
    case .entityAdded, .attributeAdded, .relationshipAdded, .uniquenessAdded, .indexAdded,
      .checkAdded, .objectNameAdded:
      ("added", "+")
    case .entityRemoved, .attributeRemoved, .relationshipRemoved, .uniquenessRemoved,
      .indexRemoved, .checkRemoved, .objectNameRemoved:
      ("removed", "−")
    case .entityRenamed, .attributeRenamed, .relationshipRenamed: ("renamed", "→")
    case .parentChanged, .abstractChanged, .tableChanged, .keyChanged, .storageChanged,
      .typeChanged,
      .optionalChanged, .defaultChanged, .derivationChanged, .transientChanged, .columnChanged,
      .validationChanged, .hashModifierChanged, .renamingIdentifierChanged, .destinationChanged,
      .inverseChanged, .toManyChanged, .orderedChanged, .countsChanged, .deleteRuleChanged,
      .joinTableChanged, .generationChanged, .numberingChanged, .referenceChanged:
      ("changed", "~")
    }
  }
}
