/// The JSON Schemas of our YAML files, by which editors complete and check them.
public enum FileSchema: String, Hashable, Sendable, CaseIterable {
  /// The schema of a version of a model.
  case model
  /// The schema of a mapping model.
  case mapping

  /// The text of the schema.
  public var text: String {
    switch self {
    case .model: Self.text(PackageResources.remodel_model_schema_json)
    case .mapping: Self.text(PackageResources.remodel_mapping_schema_json)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
