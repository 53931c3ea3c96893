import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that texts are written to, whole and at once.
struct TextFile: Sendable {
  let descriptor: Int32
  /// Whether a runner of GitHub may take lines of texts for commands to it.
  var isReadByRunner = false

  static let standardInput = TextFile(descriptor: STDIN_FILENO)
  static let standardOutput = TextFile(
    descriptor: STDOUT_FILENO,
    // The runner does not read what a script writes to a file.
    isReadByRunner: isOfWorkflow && !isRegularFile(STDOUT_FILENO)
  )
  static let standardError = TextFile(descriptor: STDERR_FILENO, isReadByRunner: isOfWorkflow)

  private static let isOfWorkflow = CommandEnvironment.process["GITHUB_ACTIONS"] == "true"

  /// Who a text is for.
  enum Reader: Sendable {
    /// People, to whom it may be written otherwise, so that a runner finds no command.
    case people
    /// A program, to which it is written to the letter or not at all.
    case program
    /// The runner.
    case runner
  }

  /// A Boolean value that indicates whether the stream is a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal; `nil` if it does not tell.
  var columns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a text.
  ///
  /// - Returns: The reason if it could not be written as a whole; a closed pipe is none.
  @discardableResult
  func write(_ text: String, for reader: Reader = .people) -> String? {
    var text = text
    if isReadByRunner, reader != .runner {
      let disarmed = WorkflowCommand.disarmed(text)
      if reader == .program, disarmed != text {
        return "GitHub's runner would take a part of it for a command, and a pipe may lead there; "
          + "--output writes it to a file"
      }
      text = disarmed
    }
    return text.withUTF8 { bytes -> String? in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        // `system`'s functions have the names of methods here.
        let count = writeBytes(descriptor, start, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN {
          var descriptors = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
          _ = poll(&descriptors, 1, -1)
        } else if errno != EINTR {
          return errno == EPIPE ? nil : String(cString: strerror(errno))
        }
      }
      return nil
    }
  }

  /// Reads to the end.
  func read() throws(UsageError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = readBytes(descriptor, &buffer)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        let reason = String(cString: strerror(errno))
        throw UsageError(.unreadableFile(Diagnostic("could not read standard input: \(reason)")))
      }
    }
  }

  /// Writes the result of a call into a new or existing file, or to standard output without a path.
  static func writeResult(
    _ text: String,
    to path: String? = nil,
    for reader: Reader = .people
  ) throws(UsageError) {
    guard let path else {
      guard let reason = standardOutput.write(text, for: reader) else { return }
      throw UsageError(.unwritableOutput(reason: reason))
    }
    try write(text, to: path, O_TRUNC)
  }

  /// Writes a text to the end of a new or existing file.
  static func append(_ text: String, to path: String) throws(UsageError) {
    try write(text, to: path, O_APPEND)
  }

  private static func write(
    _ text: String,
    to path: String,
    _ mode: Int32
  ) throws(UsageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o666)
    guard descriptor >= 0 else {
      throw UsageError(.unwritableFile(path: path, reason: String(cString: strerror(errno))))
    }
    let complaint = TextFile(descriptor: descriptor).write(text)
    guard close(descriptor) == 0 || complaint != nil else {
      throw UsageError(.unwritableFile(path: path, reason: String(cString: strerror(errno))))
    }
    if let complaint { throw UsageError(.unwritableFile(path: path, reason: complaint)) }
  }

  /// Makes writing to a closed pipe an error instead of the end of the process.
  static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }
}

private func isRegularFile(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

private func writeBytes(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, start, count)
}

private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  let capacity = buffer.count
  return buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, capacity) }
}
