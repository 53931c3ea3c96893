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
    var omitted: [ModelElement: [Int]] = [:]
    for element in omissions {
      guard let place = element.place else { continue }
      omitted[place.list, default: []].append(place.index)
    }
    omitted = omitted.mapValues { $0.sorted() }
    return values.reduce(into: [:]) { moved, entry in
      guard !omissions.contains(entry.key) else { return }
      guard let place = entry.key.place, let positions = omitted[place.list] else {
        moved[entry.key] = entry.value
        return
      }
      moved[entry.key.moved(to: place.index - positions.count(below: place.index))] = entry.value
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
    if hasChanged { model = parts.finished }
    return hasChanged
  }
}

extension ModelElement {
  /// The list that a part that can be left out is in, by its first part, and its position there.
  fileprivate var place: (list: ModelElement, index: Int)? {
    switch self {
    case .attribute(_, let index), .relationship(_, let index), .fetchIndex(_, let index),
      .compoundIndex(_, let index), .uniquenessConstraint(_, let index),
      .configuration(let index), .fetchRequest(let index):
      (moved(to: 0), index)
    case .model, .entity, .fetchedProperty, .composite, .compositeElement: nil
    }
  }

  /// Returns the part at another position of its list.
  fileprivate func moved(to index: Int) -> ModelElement {
    switch self {
    case .attribute(let entity, _): .attribute(entity: entity, index)
    case .relationship(let entity, _): .relationship(entity: entity, index)
    case .fetchIndex(let entity, _): .fetchIndex(entity: entity, index)
    case .compoundIndex(let entity, _): .compoundIndex(entity: entity, index)
    case .uniquenessConstraint(let entity, _): .uniquenessConstraint(entity: entity, index)
    case .configuration: .configuration(index)
    case .fetchRequest: .fetchRequest(index)
    case .model, .entity, .fetchedProperty, .composite, .compositeElement: self
    }
  }
}

extension [Int] {
  /// Returns how many numbers of a sorted list are below a limit.
  fileprivate func count(below limit: Int) -> Int {
    var lower = 0
    var upper = count
    while lower < upper {
      let middle = (lower + upper) / 2
      if self[middle] < limit { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
