#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is replaced as a whole, so that nobody reads half of it.
struct MetricsFile: Sendable {
  let path: String

  /// Replaces the text of the file.
  ///
  /// The text is first in a file beside it, whose name no collector reads.
  ///
  /// - Returns: The reason if it could not be written.
  func write(_ text: String) -> String? {
    var status = stat()
    // A rename would put a file in the place of a device.
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return "not a file" }
    let temporary = "\(path).\(getpid()).tmp"
    // What a killed process of the same number has left.
    unlink(temporary)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(temporary, flags, 0o666)
    guard descriptor >= 0 else { return Self.reason }
    var complaint = TextFile(descriptor: descriptor).write(text)
    if close(descriptor) != 0, complaint == nil { complaint = Self.reason }
    if complaint == nil, rename(temporary, path) != 0 { complaint = Self.reason }
    if complaint != nil { unlink(temporary) }
    return complaint
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
