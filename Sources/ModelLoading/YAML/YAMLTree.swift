import Diagnostics

/// Reads YAML into nodes, and refuses features that make a file hard to review or dangerous to
/// read: anchors, aliases, tags, several documents, duplicate keys, deep nesting.
enum YAMLTree {
  static let depthLimit = 64
  static let nodeLimit = 2_000_000

  /// Returns the value that a file consists of.
  static func parse(_ source: SourceText) throws(ModelLoadingError) -> YAMLNode {
    var builder = try YAMLTreeBuilder(source)
    defer { builder.release() }
    let root = try builder.document()
    guard builder.diagnostics.isEmpty else {
      throw ModelLoadingError(.invalid, builder.diagnostics)
    }
    return root
  }
}
