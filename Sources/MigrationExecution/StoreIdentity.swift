internal import ObjectModel
package import SQLSyntax

/// The identity of a store in its database: its schema and the name of its model.
package struct StoreIdentity: Hashable, Sendable {
  /// The schema of the tables.
  package let schema: SQLIdentifier
  /// The name of the model.
  package let modelName: String
  /// The configuration that the store holds; none for the whole model.
  package let configurationName: String?
  /// The schema of the metadata.
  package let metadataSchema: SQLIdentifier
  /// Further roles whose objects the user trusts.
  package var trustedOwners: Set<SQLIdentifier>

  /// Creates an identity.
  package init(
    schema: SQLIdentifier,
    modelName: String,
    configurationName: String? = nil,
    metadataSchema: SQLIdentifier,
    trustedOwners: Set<SQLIdentifier> = []
  ) {
    self.schema = schema
    self.modelName = modelName
    self.configurationName = configurationName
    self.metadataSchema = metadataSchema
    self.trustedOwners = trustedOwners
  }

  /// The number of the advisory lock that only one migrator of this store holds at a time.
  var migrationLockKey: Int64 {
    Self.lockKey("turn", metadataSchema.name, schema.name, modelName)
  }

  /// The number of the advisory lock that those who work on a job of this store share.
  var jobKey: Int64 {
    Self.lockKey("job", metadataSchema.name, schema.name, modelName)
  }

  /// The number of the advisory lock for the creation of the metadata schema.
  var bootstrapKey: Int64 {
    Self.lockKey("bootstrap", metadataSchema.name)
  }

  /// The schema in which new tables of the store are filled.
  package var stagingSchema: SQLIdentifier { SQLIdentifier("remodel_staging_" + digest) }

  /// The table of the metadata schema with the tables that another database has filled, as long as
  /// it has not filled all.
  package var transferRecord: QualifiedName {
    QualifiedName(schema: metadataSchema, name: SQLIdentifier("transfer_" + digest))
  }

  private var digest: Substring {
    let parts = [metadataSchema.name, schema.name, modelName]
    return hexadecimalSHA256(of: parts.joined(separator: "\0").utf8).prefix(8)
  }

  /// A Boolean value that indicates whether constants of its names have the same meaning in every
  /// session, whatever the encoding and `standard_conforming_strings` are.
  var isPlain: Bool {
    (([schema, metadataSchema] + trustedOwners).map(\.name) + [modelName]).allSatisfy { name in
      name.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
    }
  }

  private static func lockKey(_ parts: String...) -> Int64 {
    let digest = hexadecimalSHA256(of: parts.joined(separator: "\0").utf8).prefix(16)
    return Int64(bitPattern: UInt64(digest, radix: 16) ?? 0)
  }
}
