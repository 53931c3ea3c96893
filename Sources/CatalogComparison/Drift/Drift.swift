public import SQLSyntax

/// A difference between a database and its recorded version.
public struct Drift: Hashable, Sendable {
  /// The kinds of differences.
  public enum Change: String, Hashable, Sendable, CaseIterable {
    /// The model has it, and the database has not.
    case missing
    /// The database has it, and the model has not.
    case extra
    /// The object exists under another name, or in another schema.
    case renamed
    /// The object exists with another definition.
    case changed
  }

  /// The object.
  public let object: CatalogObject
  /// How.
  public let change: Change
  /// The element of the model; `nil` for an object without an entity.
  public let element: StoredElement?
  /// The expected definition; `nil` if the object is unexpected.
  public let expected: String?
  /// The actual definition; `nil` if the object is missing.
  public let actual: String?
  /// The remedy.
  public let hint: String
  /// Statements that restore it, to be reviewed before they run; empty if no statement can.
  public let remedy: [SQLFragment]

  /// Creates a drift of a store's metadata.
  ///
  /// - Parameters:
  ///   - name: The part of the metadata.
  ///   - expected: The expected value.
  ///   - actual: The actual value.
  package init(metadata name: String, expected: String?, actual: String?) {
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

  /// Creates a drift of a view by which a version is served.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - expected: What it has to show.
  ///   - actual: What it shows; `nil` if it is missing.
  ///   - remedy: The statements that create it again.
  package init(
    view: QualifiedName,
    expected: String,
    actual: String?,
    remedy: [SQLFragment]
  ) {
    self.init(
      object: CatalogObject(.view, name: view.quoted),
      change: actual == nil ? .missing : .changed,
      element: nil,
      expected: expected,
      actual: actual,
      hint: "Create it again.",
      remedy: remedy
    )
  }

  /// Creates a drift of a trigger that keeps a table in step for two versions.
  ///
  /// - Parameters:
  ///   - trigger: The trigger.
  ///   - table: The table.
  ///   - expected: The code that its function has to have.
  ///   - actual: The code that it has; `nil` if it is missing, or does not fire for every row.
  ///   - remedy: The statements that create it again.
  package init(
    trigger: SQLIdentifier,
    of table: SQLIdentifier,
    expected: String,
    actual: String?,
    remedy: [SQLFragment]
  ) {
    self.init(
      object: CatalogObject(.trigger, table: table.name, name: trigger.name),
      change: actual == nil ? .missing : .changed,
      element: nil,
      expected: expected,
      actual: actual,
      hint: "Create it again, and compare the rows that were written meanwhile.",
      remedy: remedy
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
