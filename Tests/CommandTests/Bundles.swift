import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Versions of a model for tests, each named by its point.
enum Version {
  static let first = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32? }
    """

  static let withAuthor = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
      Author:
        attributes: { name: string }
    """

  static let withBlurb = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string?, blurb: string? }
      Author:
        attributes: { name: string, born: date? }
    """

  static let withLongPages = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer64? }
    """

  static let trimming = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes: { title: trim($source.title) }
    """

  static let requiredISBN = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string }
      Author:
        attributes: { name: string, born: date }
    """

  static let requiredPages = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32 }
    """

  static let withoutPages = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string }
    """

  static let datePages = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: timestamp? }
    """
}

/// Gives a folder with a bundle "Library" of versions 1, 2, … to a function, and removes it.
func withBundle<Result>(
  _ versions: String...,
  body: (_ folder: String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "remodel-commands-\(UUID().uuidString)").path
  defer { try? FileManager.default.removeItem(atPath: folder) }
  // Also a throwaway server that runs as another user can make files here.
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
  for (index, version) in versions.enumerated() {
    try write(version, to: "\(folder)/Library.remodel/\(index + 1).yaml")
  }
  return try await body(folder)
}

/// Gives a folder with a bundle of two versions to a function, between which rows are copied.
func withCopiedBooks<Result>(
  body: (_ folder: String) async throws -> Result
) async throws -> Result {
  try await withBundle(CopiedBooks.first, CopiedBooks.second) { folder in
    try write(CopiedBooks.mapping, to: "\(folder)/a.mapping.yaml")
    return try await body(folder)
  }
}

/// Writes a file and the folder that it is in.
func write(_ text: String, to path: String) throws {
  let file = URL(filePath: path)
  try FileManager.default.createDirectory(
    at: file.deletingLastPathComponent(),
    withIntermediateDirectories: true
  )
  try Data(text.utf8).write(to: file)
}

/// Gives an empty folder to a function, and removes it.
func withFolder(_ body: (_ folder: String) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "remodel-new-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  // A throwaway server that runs as another user has to find the files.
  try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
  try await body(folder)
}
