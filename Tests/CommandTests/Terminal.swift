import Synchronization

@testable import RemodelCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A terminal without a screen, which keeps what is written to it.
final class Terminal: Sendable {
  struct NotAvailable: Error {}

  /// The device that programs write to.
  let path: String
  private let descriptor: Int32
  /// Kept open, so that the text stays until it is read.
  private let device: Int32

  init(columns: UInt16) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard descriptor >= 0, let path = Self.device(of: descriptor) else { throw NotAvailable() }
    self.path = path
    device = open(path, O_RDWR | O_NOCTTY)
    guard device >= 0 else { throw NotAvailable() }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw NotAvailable() }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Returns the path of the device that belongs to a terminal, which programs may open from now on.
  private static func device(of descriptor: Int32) -> String? {
    #if os(Linux)
    // What grantpt and its like do, which Swift does not see here.
    var isLocked: Int32 = 0
    var number: Int32 = 0
    guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
      ioctl(descriptor, 0x8004_5430, &number) == 0
    else { return nil }
    return "/dev/pts/\(number)"
    #else
    guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0 else { return nil }
    return ptsname(descriptor).map { String(cString: $0) }
    #endif
  }

  deinit {
    close(device)
    close(descriptor)
  }

  /// Returns the text that is there.
  func read() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0) }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
