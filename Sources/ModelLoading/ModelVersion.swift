/// A version of a model by its file, not read yet.
public struct ModelVersion: Hashable, Sendable {
  /// The name: that of the file, without its extension.
  public let name: String
  /// The file, or the folder of Xcode's.
  public let path: String

  /// Creates a version.
  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}
