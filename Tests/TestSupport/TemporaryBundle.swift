internal import FoundationEssentials

/// Calls a function with a bundle of versions, named 1, 2, 3…, and removes it afterwards.
///
/// - Parameters:
///   - versions: The versions as YAML, the oldest first.
///   - mappings: Mapping models as YAML, by the names of their files without extension: `1-2`.
///   - body: Gets the path of the bundle.
/// - Returns: The function's result.
/// - Throws: The function's error, or one of writing the files.
package func withBundle<Result>(
  _ versions: [String],
  mappings: [String: String] = [:],
  _ body: (String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "bundle-\(UUID().uuidString)")
  let bundle = folder.appending(path: "Sample.remodel")
  try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  for (index, text) in versions.enumerated() {
    try Data(text.utf8).write(to: bundle.appending(path: "\(index + 1).yaml"))
  }
  for (name, text) in mappings {
    try Data(text.utf8).write(to: bundle.appending(path: "\(name).mapping.yaml"))
  }
  return try await body(bundle.path)
}
