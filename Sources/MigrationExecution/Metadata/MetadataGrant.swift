internal import Diagnostics
package import SQLSyntax

/// A right to the metadata beyond reading that an untrusted role has: the contents of the metadata
/// are executed.
package struct MetadataGrant: Hashable, Sendable {
  /// The schema of the metadata.
  package let schema: SQLIdentifier
  /// The relation; none for the schema itself.
  package let relation: SQLIdentifier?
  /// The role; none for all roles.
  package let role: SQLIdentifier?
  /// The role that has granted them; none if it is the owner.
  package let grantor: SQLIdentifier?
  /// The rights, as the server calls them.
  package let rights: [String]
}

extension MetadataGrant: CustomStringConvertible {
  /// The role and its rights, as a sentence.
  package var description: String {
    let place = "schema \"\(schema)\""
    let object = relation.map { "relation \"\($0)\" of \(place)" } ?? place
    let holder = role.map { "Role \"\($0)\" has" } ?? "All roles have"
    let origin = grantor.map { ", granted by \"\($0)\"" } ?? ""
    return "\(holder) \(rights.joined(separator: ", ")) on \(object)\(origin)."
  }

  /// The statements that revoke the rights, including those on single columns.
  ///
  /// A role can only revoke its own grants; the owner and superusers can revoke those of the owner.
  package var revocation: String {
    let object =
      relation.map { "TABLE \(QualifiedName(schema: schema, name: $0).quoted)" }
      ?? "SCHEMA \(schema.quoted)"
    let holder = role?.quoted ?? "PUBLIC"
    let revocation = "REVOKE \(rights.joined(separator: ", ")) ON \(object) FROM \(holder) CASCADE;"
    return grantor.map { "SET ROLE \($0.quoted); \(revocation) RESET ROLE;" } ?? revocation
  }
}
