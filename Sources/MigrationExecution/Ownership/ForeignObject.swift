/// An object of the database that belongs to a role which is not trusted.
public struct ForeignObject: Hashable, Sendable {
  /// The object, as the server describes it: `table tenant.book`.
  public let object: String
  /// The role that owns it.
  public let owner: String
  /// What runs or reads it, as the server describes that; none for the object itself.
  public let user: String?
}

extension ForeignObject: CustomStringConvertible {
  /// The object and its owner, as a sentence.
  public var description: String {
    let use = user.map { ", and is used by \($0)" } ?? ""
    return "Role \"\(owner)\" owns \(object)\(use)."
  }
}
