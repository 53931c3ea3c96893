import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folder of the repository in a run of a workflow, by which the runner knows files.
struct Workspace: Sendable {
  private let roots: [String]
  private let workingDirectory: String

  /// Creates a workspace.
  ///
  /// - Parameters:
  ///   - roots: The folder, by one name or several.
  ///   - workingDirectory: The folder that paths are relative to.
  init(roots: [String], workingDirectory: String) {
    self.roots = roots.map(Self.normalised)
    self.workingDirectory = workingDirectory
  }

  /// Creates the workspace of a call: the one that the runner names, else the working directory.
  init(_ environment: CommandEnvironment) {
    let folder = environment["GITHUB_WORKSPACE"]
    let directory = ModelFile.workingDirectory
    // The system tells the working directory without symbolic links.
    let names = [folder, folder.flatMap(Self.resolved), directory].compactMap(\.self)
    self.init(roots: names, workingDirectory: directory)
  }

  /// Returns a path from the folder on; the whole one if it leads out.
  func relativePath(of path: String) -> String {
    let whole = Self.normalised(path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)")
    let root = roots.first { whole.hasPrefix($0 == "/" ? "/" : $0 + "/") }
    guard let root else { return whole }
    return String(whole.dropFirst(root == "/" ? 1 : root.count + 1))
  }

  private static func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
