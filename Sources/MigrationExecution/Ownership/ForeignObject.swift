/// An object of the database that belongs to a role which is not trusted.
package struct ForeignObject: Hashable, Sendable {
  /// The object, as the server describes it: `table tenant.book`.
  package let object: String
  /// The role that owns it.
  package let owner: String
  /// The object that runs it, reads it or leads to it, as the server describes that; `nil` for the
  /// object itself.
  package let usedBy: String?
}

extension ForeignObject: CustomStringConvertible {
  /// The object and its owner, as a sentence.
  package var description: String {
    let ownership = "Role \"\(owner)\" owns \(object)."
    return usedBy.map { "\(ownership) It is used by, or reached from, \($0)." } ?? ownership
  }
}
