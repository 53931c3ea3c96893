internal import FoundationEssentials

/// Encodes and decodes models as text, which the metadata schema stores for every version that a
/// database has had.
package enum ModelArchive {
  /// Returns a model as JSON with its keys in order, the same text for the same model.
  package static func text(of model: ManagedObjectModel) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(model), as: UTF8.self)
  }

  /// Returns the model that an archive holds.
  package static func model(from text: String) throws -> ManagedObjectModel {
    try JSONDecoder().decode(ManagedObjectModel.self, from: Data(text.utf8))
  }
}
