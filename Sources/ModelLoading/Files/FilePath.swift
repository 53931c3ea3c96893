/// Cuts paths at slashes and dots.
enum FilePath {
  /// Returns a path of a name in a directory.
  static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  /// Returns a path without slashes at its end.
  static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  /// Returns the last part of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the folder that the last part of a path is in.
  static func folder(of path: String) -> String {
    let folder = path.dropLast(name(of: path).count)
    return folder.isEmpty ? "." : withoutTrailingSlashes(String(folder))
  }

  /// Returns a name's part before its last dot and the part after it, which is empty if there is no
  /// dot other than in front.
  static func split(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }
}
