import Diagnostics

/// The bytes of a file, which knows the line and column of each.
struct SourceText: Sendable {
  let path: String
  let bytes: [UInt8]
  let lines: LineTable

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    lines = LineTable(bytes)
  }

  /// Creates the text, or throws if it is not UTF-8.
  init(path: String, validating bytes: [UInt8]) throws(ModelLoadingError) {
    self.init(path: path, bytes: bytes)
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ModelLoadingError(
        Diagnostic(
          "file is in UTF-16",
          hint: "Save it in UTF-8.",
          location: location(of: 0)
        )
      )
    }
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    throw ModelLoadingError(
      Diagnostic(
        "file is not valid UTF-8",
        hint: "Save it in UTF-8.",
        location: location(of: firstInvalidOffset)
      )
    )
  }

  func location(of offset: Int) -> SourceLocation {
    lines.location(of: offset, in: path)
  }

  private var firstInvalidOffset: Int {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput, .error: return offset
      }
    }
  }
}

/// The starts of a file's lines.
struct LineTable: Sendable {
  private let starts: [Int]
  private let end: Int

  init(_ bytes: [UInt8]) {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
        starts.append(index + 1)
      }
    }
    self.starts = starts
    end = bytes.count
  }

  func location(of offset: Int, in path: String) -> SourceLocation {
    let offset = min(max(0, offset), end)
    var lower = 0
    var upper = starts.count
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      if starts[middle] <= offset { lower = middle } else { upper = middle }
    }
    return SourceLocation(path: path, line: lower + 1, column: offset - starts[lower] + 1)
  }
}
