public import SQLSyntax

/// Something in which a database is not what its recorded version says.
public struct Drift: Hashable, Sendable {
  /// How it differs.
  public enum Change: String, Hashable, Sendable, CaseIterable {
    /// The model has it, and the database has not.
    case missing
    /// The database has it, and the model has not.
    case extra
    /// It is there under another name, or in another schema.
    case renamed
    /// It is there, and not as it was made.
    case changed
  }

  /// What differs.
  public let object: CatalogObject
  /// How.
  public let change: Change
  /// What it is in the model; none for what is about no entity.
  public let element: StoredElement?
  /// What it should be; none if it should not be there.
  public let expected: String?
  /// What it is; none if it is not there.
  public let actual: String?
  /// What to do about it.
  public let hint: String
  /// Statements that put it back, to be looked at before they are run; empty where no statement can.
  public let remedy: [SQLFragment]

  /// Creates a drift of what the metadata says of a store.
  ///
  /// - Parameters:
  ///   - name: What in the metadata differs.
  ///   - expected: What it should be.
  ///   - actual: What it is.
  public init(metadata name: String, expected: String?, actual: String?) {
    self.init(
      object: CatalogObject(.metadata, name: name),
      change: expected == nil ? .extra : actual == nil ? .missing : .changed,
      element: nil,
      expected: expected,
      actual: actual,
      hint: "Nothing but remodel writes the metadata: restore it from a backup.",
      remedy: []
    )
  }

  init(
    object: CatalogObject,
    change: Change,
    element: StoredElement?,
    expected: String?,
    actual: String?,
    hint: String,
    remedy: [SQLFragment]
  ) {
    self.object = object
    self.change = change
    self.element = element
    self.expected = expected
    self.actual = actual
    self.hint = hint
    self.remedy = remedy
  }
}
