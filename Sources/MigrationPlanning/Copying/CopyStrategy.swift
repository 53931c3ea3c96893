/// How rows are copied into new tables.
public enum CopyStrategy: String, Hashable, Sendable, Codable, CaseIterable {
  /// In the transaction of the step; writers wait for all of it.
  case locked
  /// In many transactions, while writers are refused.
  case gated
  /// In many transactions, while others write; their changes are copied afterwards.
  case online
  /// Not at all: new columns of the same tables are filled in many transactions, while others write.
  case filled
}
