import FoundationEssentials

/// A folder for one test, removed afterwards.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "remodel-loading-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder)
}

/// Writes files, with the folders that their paths name.
func write(_ files: [String: String], in folder: String) throws {
  for (name, text) in files {
    let path = "\(folder)/\(name)"
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + parent,
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
