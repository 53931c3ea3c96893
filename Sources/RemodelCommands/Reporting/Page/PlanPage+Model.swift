import RemodelKit

extension PlanPage {
  /// The model before and after, as pictures.
  var model: Markup {
    guard let last = steps.last else { return "" }
    let source = steps.first?.source?.projection.model
    let destination = last.destination.projection.model
    let difference = ModelDifference(from: source ?? destination, to: destination)
    let comparison = DiagramComparison(from: source, to: destination, difference)
    return """
      <section id="model" aria-labelledby="model-title">
      <h2 id="model-title">The model in pictures</h2>
      \(introduction(source, difference, comparison))\(pictures(comparison))\
      </section>

      """
  }

  private func introduction(
    _ source: ManagedObjectModel?,
    _ difference: ModelDifference,
    _ comparison: DiagramComparison
  ) -> Markup {
    guard source != nil else {
      return comparison.shownCount > 0 ? "" : Self.tooLarge(comparison)
    }
    guard !difference.changes.isEmpty else {
      return "<p>The model stays as it is.</p>\n"
    }
    guard comparison.shownCount > 0 else { return Self.tooLarge(comparison) }
    let shown: Markup =
      comparison.shownCount < comparison.totalCount
      ? " Shown are \(comparison.shownCount) of \(comparison.totalCount) entities: those that differ, and their neighbors."
      : ""
    return """
      <p>What is the same stands at the same place.\(shown)</p>
      <ul class="legend">\
      <li class="added"><span>+</span> added</li><li class="removed"><span>−</span> removed</li>\
      <li class="renamed"><span>→</span> renamed</li><li class="changed"><span>~</span> changed</li>\
      </ul>

      """
  }

  private static func tooLarge(_ comparison: DiagramComparison) -> Markup {
    "<p>\(grouped(comparison.totalCount, "entity", plural: "entities")): too many for a picture.</p>\n"
  }

  private func pictures(_ comparison: DiagramComparison) -> Markup {
    guard let after = comparison.after(named: "diagram-after") else { return "" }
    guard let before = comparison.before(named: "diagram-before") else { return figure(after, nil) }
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
      \(figure(after, "After: \(versionName(report.target.name))"))\
      </div>
      \(whole)
      """
  }

  private func figure(_ picture: InlinePicture, _ caption: String?) -> Markup {
    let text: Markup = caption.map { "<figcaption>\($0)</figcaption>" } ?? ""
    return """
      <figure>\(text)<div class="scroll" tabindex="0" role="group" aria-label="\(caption ?? "Entity diagram")" style="--width:\(picture.width)px">
      \(picture.markup)</div></figure>

      """
  }
}

extension ModelChange.Kind {
  /// The mark of a change in a list, as in the pictures.
  var sign: (name: Markup, text: String) {
    switch self {
    case .entityAdded, .attributeAdded, .relationshipAdded, .uniquenessAdded, .indexAdded,
      .checkAdded, .objectNameAdded:
      ("added", "+")
    case .entityRemoved, .attributeRemoved, .relationshipRemoved, .uniquenessRemoved,
      .indexRemoved, .checkRemoved, .objectNameRemoved:
      ("removed", "−")
    case .entityRenamed, .attributeRenamed, .relationshipRenamed: ("renamed", "→")
    case .parentChanged, .abstractChanged, .tableChanged, .keyChanged, .storageChanged,
      .partitioningChanged, .distributionChanged, .typeChanged,
      .optionalChanged, .defaultChanged, .derivationChanged, .transientChanged, .columnChanged,
      .validationChanged, .hashModifierChanged, .renamingIdentifierChanged, .destinationChanged,
      .inverseChanged, .toManyChanged, .orderedChanged, .countsChanged, .deleteRuleChanged,
      .joinTableChanged, .generationChanged, .numberingChanged, .referenceChanged,
      .layoutChanged:
      ("changed", "~")
    }
  }
}
