internal import Diagnostics
public import ObjectModel

/// Something that two versions of one base say differently, so that no merge can have both.
public struct MergeConflict: Hashable, Sendable {
  /// What differs: `the type of attribute "title" of entity "Book"`.
  public let subject: String
  /// What the first version says.
  public let first: Side
  /// What the second version says.
  public let second: Side

  /// One version in a conflict.
  public struct Side: Hashable, Sendable {
    /// The value, or what the version did.
    public let value: String
    /// The part of the version that says so.
    package let element: ModelElement
  }

  /// The same conflict of the versions in the other order.
  var reversed: MergeConflict {
    MergeConflict(subject: subject, first: second, second: first)
  }
}

/// The result of a merge of two versions of one base.
public struct ModelMerge: Hashable, Sendable {
  /// The merged model; what is in conflict is in it as the first version has it.
  public let model: ManagedObjectModel
  /// What the two versions say differently.
  public let conflicts: [MergeConflict]
  /// What is wrong with the merged model, each as a sentence: what both versions changed does not
  /// fit together.
  public let complaints: [String]

  /// A Boolean value that indicates whether the merged model can be used.
  public var isClean: Bool { conflicts.isEmpty && complaints.isEmpty }

  /// Merges two versions that were made from one base.
  ///
  /// Parts are matched by canonical names. What one version changed is taken, what both changed
  /// alike is taken once, and everything else is a conflict. The order of the two versions does
  /// not matter.
  ///
  /// - Parameters:
  ///   - first: A version.
  ///   - second: Another version.
  ///   - base: The version that both were made from.
  public init(
    of first: ManagedObjectModel,
    and second: ManagedObjectModel,
    over base: ManagedObjectModel
  ) {
    var merging = ThreeWayMerge(first, second, over: base)
    model = merging.model()
    conflicts = merging.conflicts
    complaints = conflicts.isEmpty ? Self.complaints(about: model, of: [first, second]) : []
  }

  /// Returns what is wrong with a merged model.
  ///
  /// An identifier that is the name of a sibling is wrong if no
  /// version has it: it would take the values of that sibling.
  private static func complaints(
    about model: ManagedObjectModel,
    of versions: [ManagedObjectModel]
  ) -> [String] {
    func siblings(in model: ManagedObjectModel) -> [String] {
      model.complaints().compactMap { complaint in
        guard case .identifierOfSibling = complaint.fact else { return nil }
        return complaint.diagnostic(in: model, at: nil).message
      }
    }
    let known = Set(versions.flatMap(siblings))
    return model.complaints().filter { $0.severity == .error }
      .map { $0.diagnostic(in: model, at: nil).message }
      + siblings(in: model).filter { !known.contains($0) }
  }
}
