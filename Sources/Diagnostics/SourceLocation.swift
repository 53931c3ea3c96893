/// A place in a file, as compilers print it: `path:line:column`.
public struct SourceLocation: Hashable, Sendable {
  /// The file's path, as the user wrote it or relative to a path of the user.
  public var path: String
  /// The line, counted from 1, where it is known.
  public var line: Int?
  /// The column in bytes, counted from 1, where it is known.
  public var column: Int?

  /// Creates a location.
  public init(path: String, line: Int? = nil, column: Int? = nil) {
    self.path = path
    self.line = line
    self.column = column
  }
}

extension SourceLocation: CustomStringConvertible {
  /// The path, with the line and the column where they are known: `path:line:column`.
  public var description: String {
    guard let line else { return path }
    guard let column else { return "\(path):\(line)" }
    return "\(path):\(line):\(column)"
  }
}
