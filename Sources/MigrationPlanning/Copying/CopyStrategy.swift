/// How rows are copied into tables that are made anew.
public enum CopyStrategy: String, Hashable, Sendable, CaseIterable {
  /// In one transaction with all else; writers wait for all of it.
  case locked
  /// In many transactions, while writers are refused.
  case gated
  /// In many transactions, while writers go on; what they write is copied after them.
  case online
}
