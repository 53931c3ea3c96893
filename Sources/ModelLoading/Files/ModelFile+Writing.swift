#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ModelFile {
  /// Writes a file, and makes the folders that it is in; there is never half a file under the path.
  static func write(_ bytes: [UInt8], to path: String) throws(ModelFileError) {
    try makeFolders(of: path)
    let temporary = path + ".writing"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw .couldNotWrite(path, reason: lastReason()) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = writeSome(descriptor, rest)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = lastReason()
        close(descriptor)
        unlink(temporary)
        throw .couldNotWrite(path, reason: reason)
      }
      rest = rest.dropFirst(count)
    }
    guard close(descriptor) == 0, rename(temporary, path) == 0 else {
      let reason = lastReason()
      unlink(temporary)
      throw .couldNotWrite(path, reason: reason)
    }
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
