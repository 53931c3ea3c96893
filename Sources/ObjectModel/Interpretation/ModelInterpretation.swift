package import Diagnostics

/// A model as a database can hold it, made of one that Xcode accepts though parts of it contradict each
/// other.
///
/// Such a model has shipped in an application, so it must open. Only what holds no values gives way:
/// inverses, limits, indexes, constraints, configurations. What cannot be interpreted remains an error.
package struct ModelInterpretation {
  /// The model, without the parts that were left out.
  package private(set) var model: ManagedObjectModel
  /// What was odd, in the order in which it was found.
  package private(set) var oddities: [Oddity] = []
  /// The faults that remain, and the warnings of validation, by their parts in `model`.
  package private(set) var complaints: [ModelComplaint]
  /// The parts that are left out, by their positions before.
  private var omissions: Set<ModelElement> = []

  /// Something odd about a model, and how it was read.
  package struct Oddity: Hashable, Sendable {
    /// The part, by its position in the model as it was written.
    package let element: ModelElement
    /// What is odd.
    package let complaint: Diagnostic
    /// How the part was read.
    package let reading: OddityReading

    /// Returns the warning, with the place of the part.
    package func warning(at location: SourceLocation?) -> Diagnostic {
      Diagnostic(
        .warning,
        complaint.message,
        detail: [complaint.detail, reading.words].compactMap(\.self).joined(separator: " "),
        hint: complaint.hint,
        location: location
      )
    }
  }

  /// Interprets a model.
  package init(_ model: ManagedObjectModel) {
    self.model = model
    complaints = model.complaints()
    // What is mended may show what was hidden behind it, but each part gives way a few times at most.
    for _ in 0..<8 {
      guard complaints.contains(where: { $0.severity == .error }), mend() else { break }
      complaints = self.model.complaints().filter { !omissions.contains($0.element) }
    }
    guard !omissions.isEmpty else { return }
    let parts = EditedParts(self.model)
    self.model = parts.model(without: omissions)
    complaints = self.model.complaints()
  }

  /// Returns values by the parts of the model as it was written by those of `model`.
  package func moved<Value>(_ values: [ModelElement: Value]) -> [ModelElement: Value] {
    guard !omissions.isEmpty else { return values }
    return values.reduce(into: [:]) { moved, entry in
      guard !omissions.contains(entry.key) else { return }
      moved[entry.key.shifted { self.omissions.contains($0) }] = entry.value
    }
  }

  /// Interprets what there is an interpretation for, and returns whether there was anything.
  private mutating func mend() -> Bool {
    var parts = EditedParts(model)
    var hasChanged = false
    for complaint in complaints where complaint.severity == .error {
      guard let reading = parts.interpret(complaint, &omissions) else { continue }
      hasChanged = true
      oddities.append(
        Oddity(
          element: complaint.element,
          complaint: complaint.diagnostic(in: model),
          reading: reading
        )
      )
    }
    if hasChanged { model = parts.model }
    return hasChanged
  }
}

extension ModelElement {
  /// Returns the part at its position after others of its kind before it were left out.
  fileprivate func shifted(_ isOmitted: (ModelElement) -> Bool) -> ModelElement {
    func moved(_ index: Int, _ element: (Int) -> ModelElement) -> ModelElement {
      element(index - (0..<index).count { isOmitted(element($0)) })
    }
    return switch self {
    case .attribute(let entity, let index):
      moved(index) { .attribute(entity: entity, $0) }
    case .relationship(let entity, let index):
      moved(index) { .relationship(entity: entity, $0) }
    case .fetchIndex(let entity, let index):
      moved(index) { .fetchIndex(entity: entity, $0) }
    case .compoundIndex(let entity, let index):
      moved(index) { .compoundIndex(entity: entity, $0) }
    case .uniquenessConstraint(let entity, let index):
      moved(index) { .uniquenessConstraint(entity: entity, $0) }
    case .configuration(let index): moved(index) { .configuration($0) }
    case .fetchRequest(let index): moved(index) { .fetchRequest($0) }
    case .model, .entity, .fetchedProperty, .composite, .compositeElement: self
    }
  }
}
