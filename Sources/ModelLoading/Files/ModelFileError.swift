package import Diagnostics

/// Why a file or directory could not be had.
package enum ModelFileError: Error {
  case couldNotOpen(String, reason: String)
  case couldNotRead(String, reason: String)
  case couldNotWrite(String, reason: String)
  case notAFile(String)
  case tooLarge(String, size: Int)

  package var diagnostic: Diagnostic {
    switch self {
    case .couldNotOpen(let path, let reason):
      Diagnostic("could not open \"\(path)\": \(reason)")
    case .couldNotRead(let path, let reason):
      Diagnostic("could not read \"\(path)\": \(reason)")
    case .couldNotWrite(let path, let reason):
      Diagnostic("could not write \"\(path)\": \(reason)")
    case .notAFile(let path):
      Diagnostic("\"\(path)\" is not a regular file")
    case .tooLarge(let path, let size):
      Diagnostic(
        "file \"\(path)\" is too large",
        detail: "It has \(size) bytes; the limit is \(ModelFile.sizeLimit)."
      )
    }
  }

  /// Why it could not be had, in a sentence that does not name it.
  package var reason: String {
    switch self {
    case .couldNotOpen(_, let reason), .couldNotRead(_, let reason), .couldNotWrite(_, let reason):
      "\(reason)."
    case .notAFile: "It is not a regular file."
    case .tooLarge(_, let size): "It has \(size) bytes; the limit is \(ModelFile.sizeLimit)."
    }
  }
}
