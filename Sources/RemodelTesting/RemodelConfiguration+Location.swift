internal import RemodelKit

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension RemodelConfiguration {
  /// Returns the configuration with paths that can be used whatever the working directory is: where a
  /// test runs depends on who runs it.
  func located(from file: String) throws -> RemodelConfiguration {
    var located = self
    located.modelsPath = try Self.located(modelsPath, from: file)
    located.furtherModelsPaths = try furtherModelsPaths.map { try Self.located($0, from: file) }
    located.mappingsPath = try mappingsPath.map { try Self.located($0, from: file) }
    return located
  }

  private static func located(_ path: String, from file: String) throws -> String {
    if path.hasPrefix("/") { return path }
    var folder = file[...]
    while let end = folder.lastIndex(of: "/") {
      folder = folder[..<end]
      let candidate = "\(folder)/\(path)"
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw TestingError(.noModels(path: path, file: file))
    }
    return path
  }
}
