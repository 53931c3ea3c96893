internal import Diagnostics
public import SQLSyntax

/// Rights to the metadata beyond looking that a role has which is not trusted: what stands in the metadata
/// is run.
public struct MetadataGrant: Hashable, Sendable {
  /// The schema of the metadata.
  public let schema: SQLIdentifier
  /// The relation; none for the schema itself.
  public let relation: SQLIdentifier?
  /// The role; none for all roles.
  public let role: SQLIdentifier?
  /// The rights, as the server calls them.
  public let rights: [String]
}

extension MetadataGrant: CustomStringConvertible {
  /// The role and its rights, as a sentence.
  public var description: String {
    let place = "schema \"\(schema)\""
    let object = relation.map { "relation \"\($0)\" of \(place)" } ?? place
    let holder = role.map { "Role \"\($0)\" has" } ?? "All roles have"
    return "\(holder) \(rights.joined(separator: ", ")) on \(object)."
  }

  /// The statement that takes the rights back, also those to single columns.
  public var revocation: String {
    let object =
      relation.map { "TABLE \(QualifiedName(schema: schema, name: $0).quoted)" }
      ?? "SCHEMA \(schema.quoted)"
    let holder = role?.quoted ?? "PUBLIC"
    return "REVOKE \(rights.joined(separator: ", ")) ON \(object) FROM \(holder) CASCADE;"
  }
}
