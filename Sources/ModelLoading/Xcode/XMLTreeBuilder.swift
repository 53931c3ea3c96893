import CExpat
import Diagnostics

/// Expat's handlers, which put the elements together.
final class XMLTreeBuilder {
  private let parser: XML_Parser
  private let source: SourceText
  private let allowsDocumentType: Bool
  private var open: [XMLElement] = []
  private var count = 0
  private(set) var root: XMLElement?
  private(set) var fault: Diagnostic?

  init(parser: XML_Parser, source: SourceText, allowsDocumentType: Bool) {
    self.parser = parser
    self.source = source
    self.allowsDocumentType = allowsDocumentType
  }

  func register() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { XMLTreeBuilder.from($0)?.start(name: $1, attributes: $2) },
      { data, _ in XMLTreeBuilder.from(data)?.end() }
    )
    XML_SetCharacterDataHandler(parser) { XMLTreeBuilder.from($0)?.append($1, count: $2) }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, hasDeclarations in
      XMLTreeBuilder.from(data)?.documentType(hasDeclarations: hasDeclarations != 0)
    }
    XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
      XMLTreeBuilder.from(data)?.declaration(encoding: encoding)
    }
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    data.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  private var offset: Int { Int(XML_GetCurrentByteIndex(parser)) }

  private func stop(
    _ message: String,
    detail: String? = nil,
    hint: String? = nil,
    at place: Int? = nil
  ) {
    guard fault == nil else { return }
    let location = source.location(of: place ?? offset)
    fault = Diagnostic(message, detail: detail, hint: hint, location: location)
    XML_StopParser(parser, 0)
  }

  // MARK: - Handlers

  private func start(
    name: UnsafePointer<CChar>?,
    attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard fault == nil, let name, var attribute = attributes else { return }
    guard open.count < XMLTree.depthLimit else {
      return stop("elements are nested more than \(XMLTree.depthLimit) deep")
    }
    count += 1
    guard count <= XMLTree.elementLimit else {
      return stop("file has more than \(XMLTree.elementLimit) elements")
    }
    var values: [XMLAttribute] = []
    while let key = attribute[0], let value = attribute[1] {
      values.append(XMLAttribute(name: String(cString: key), value: String(cString: value)))
      attribute += 2
    }
    open.append(XMLElement(name: String(cString: name), attributes: values, offset: offset))
  }

  private func end() {
    guard fault == nil, var element = open.popLast() else { return }
    while let byte = element.text.utf8.last, Self.isSpace(byte) {
      element.text.unicodeScalars.removeLast()
    }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  private func append(_ text: UnsafePointer<CChar>?, count: CInt) {
    guard fault == nil, let text, !open.isEmpty else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))[...]
    let last = open.count - 1
    // Texts arrive in pieces, so trailing space is only known at the end.
    if open[last].text.isEmpty {
      let start = bytes.firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
      open[last].text += String(decoding: bytes[start...], as: UTF8.self)
    } else {
      open[last].text += String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func documentType(hasDeclarations: Bool) {
    guard !allowsDocumentType || hasDeclarations else { return }
    stop(
      "file has a document type declaration",
      detail: "Model files have none; entities that one declares are never expanded.",
      hint: "Remove the DOCTYPE.",
      at: documentTypeOffset
    )
  }

  /// The offset of a document type, searched backwards because Expat reports it only after its name.
  private var documentTypeOffset: Int? {
    let mark = Array("<!DOCTYPE".utf8)
    return source.bytes[..<max(0, offset)].indices.reversed().first {
      source.bytes[$0] == mark[0] && source.bytes[$0...].starts(with: mark)
    }
  }

  private func declaration(encoding: UnsafePointer<CChar>?) {
    guard let encoding else { return }
    let name = String(cString: encoding)
    guard name.lowercased() != "utf-8" else { return }
    stop(
      "unsupported encoding \"\(name)\"",
      detail: "Model files are in UTF-8.",
      hint: "Save the file in UTF-8 and declare no other encoding."
    )
  }
}
