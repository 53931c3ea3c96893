#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file system for reading models: by POSIX calls, so that Foundation is not needed.
package enum ModelFile {
  /// The largest file that is read, in bytes.
  static let sizeLimit = 16 << 20

  /// The kinds of files.
  enum Kind {
    case file
    case directory
    case pipe
    case other
  }

  /// Returns the kind of file at a path, or `nil` if there is none or it is unknown.
  static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return kind(of: status)
  }

  /// Returns the bytes of a regular file that is not over the limit.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - waitsForPipe: Whether a pipe will do as well, whose writer is waited for.
  /// - Returns: The bytes.
  /// - Throws: Why there are none.
  package static func read(
    _ path: String,
    waitingForPipe waitsForPipe: Bool = false
  ) throws(ModelFileError) -> [UInt8] {
    let isPipe = waitsForPipe && kind(of: path) == .pipe
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | (isPipe ? 0 : O_NONBLOCK) | O_CLOEXEC)
    guard descriptor >= 0 else { throw .couldNotOpen(path, reason: lastReason()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .couldNotRead(path, reason: lastReason())
    }
    let kind = kind(of: status)
    guard kind == .file || isPipe && kind == .pipe else { throw .notAFile(path) }
    let size = Int(status.st_size)
    guard size <= sizeLimit else { throw .tooLarge(path, size: size) }
    return try contents(of: descriptor, path: path, expecting: size)
  }

  /// Returns the names in a directory, in no order.
  static func entries(of path: String) throws(ModelFileError) -> [String] {
    guard let directory = opendir(path) else {
      throw .couldNotOpen(path, reason: lastReason())
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFIFO: .pipe
    default: .other
    }
  }

  /// Reads to the end, and no further than the limit however long the file has become meanwhile.
  private static func contents(
    of descriptor: CInt,
    path: String,
    expecting size: Int
  ) throws(ModelFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 1)
    var buffer = [UInt8](repeating: 0, count: max(4096, min(size + 1, 1 << 18)))
    while true {
      let count = readSome(descriptor, &buffer)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw .couldNotRead(path, reason: lastReason())
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= sizeLimit else { throw .tooLarge(path, size: bytes.count) }
    }
  }

  /// The path of the working directory; empty if it cannot be told.
  package static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  static func lastReason() -> String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// `read` of the C library outside the enumeration, whose own `read` would hide it.
private func readSome(_ descriptor: CInt, _ buffer: inout [UInt8]) -> Int {
  let capacity = buffer.count
  return buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, capacity) }
}
