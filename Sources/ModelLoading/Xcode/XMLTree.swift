import CExpat
import Diagnostics

/// Reads XML into elements, and refuses features that a model file does not need: document types
/// (and with them entities of any kind), other encodings, deep nesting.
enum XMLTree {
  static let depthLimit = 64
  static let elementLimit = 1_000_000

  /// Returns the root element.
  ///
  /// A `DOCTYPE` without declarations of its own can be let pass, as every property list has one;
  /// nothing that it names is ever read.
  static func parse(
    _ source: SourceText,
    allowsDocumentType: Bool
  ) throws(ModelLoadingError) -> XMLElement {
    guard let parser = XML_ParserCreate("UTF-8") else {
      throw ModelLoadingError(Diagnostic("could not read file \"\(source.path)\": out of memory"))
    }
    defer { XML_ParserFree(parser) }
    let builder = XMLTreeBuilder(
      parser: parser,
      source: source,
      allowsDocumentType: allowsDocumentType
    )
    builder.register()
    let status = source.bytes.withUnsafeBytes { bytes in
      XML_Parse(
        parser,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        CInt(bytes.count),
        1
      )
    }
    // The handlers reach the builder by an unretained pointer.
    return try withExtendedLifetime(builder) { () throws(ModelLoadingError) -> XMLElement in
      let offset = Int(XML_GetCurrentByteIndex(parser))
      if let fault = builder.fault { throw ModelLoadingError(fault) }
      guard status == XML_STATUS_OK, let root = builder.root else {
        throw ModelLoadingError(
          Diagnostic(
            "malformed XML: \(reason(XML_GetErrorCode(parser)))",
            location: source.location(of: offset)
          )
        )
      }
      return root
    }
  }

  private static func reason(_ code: XML_Error) -> String {
    XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
  }
}
