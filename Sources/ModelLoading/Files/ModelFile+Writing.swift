#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ModelFile {
  /// Writes a file atomically, and creates its folders.
  static func write(_ bytes: [UInt8], to path: String) throws(ModelFileError) {
    try makeFolders(of: path)
    let temporary = temporaryPath(beside: path)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .couldNotWrite(path, reason: lastReason()) }
    var failure = isFilled(descriptor, with: bytes) ? nil : lastReason()
    if close(descriptor) != 0, failure == nil { failure = lastReason() }
    if failure == nil, rename(temporary, path) != 0 { failure = lastReason() }
    guard let failure else { return }
    unlink(temporary)
    throw .couldNotWrite(path, reason: failure)
  }

  /// Writes bytes down to the disk: else a crash could leave an empty file under the path.
  private static func isFilled(_ descriptor: CInt, with bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = writeSome(descriptor, rest)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return fsync(descriptor) == 0
  }

  /// Returns a unique path in the same folder.
  private static func temporaryPath(beside path: String) -> String {
    let folder = path.dropLast(FilePath.name(of: path).count)
    return "\(folder).remodel-\(UInt64.random(in: .min ... .max))"
  }

  private static func makeFolders(of path: String) throws(ModelFileError) {
    var folder = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      folder += (folder.isEmpty || folder == "/" ? "" : "/") + part
      guard kind(of: folder) == nil, mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
      throw .couldNotWrite(path, reason: lastReason())
    }
  }
}

/// `write` of the C library outside the enumeration, whose own `write` would hide it.
private func writeSome(_ descriptor: CInt, _ bytes: ArraySlice<UInt8>) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
