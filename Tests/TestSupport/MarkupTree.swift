internal import CExpat

/// An element of a page or picture, as any reader of XML takes it.
package struct MarkupTree: Sendable {
  /// The element's name.
  package var name: String
  /// Its attributes.
  package var attributes: [String: String]
  /// The elements in it.
  package var children: [MarkupTree] = []
  /// The text right in it and in all elements in it, in order.
  package var text = ""

  /// The element and all in it, in order.
  package var all: [MarkupTree] { [self] + children.flatMap(\.all) }

  /// Returns every element of a name, this one included.
  package func elements(named name: String) -> [MarkupTree] { all.filter { $0.name == name } }

  /// Returns every element of a class, this one included.
  package func elements(ofClass name: Substring) -> [MarkupTree] {
    all.filter { ($0.attributes["class"] ?? "").split(separator: " ").contains(name) }
  }
}

/// Why a text is not well-formed.
package struct MarkupFault: Error, CustomStringConvertible {
  /// The reason, with the line.
  package let description: String

  /// Creates a reason.
  package init(description: String) {
    self.description = description
  }
}

extension MarkupTree {
  /// Reads a text as well-formed XML.
  ///
  /// - Throws: An error with the position of the fault.
  package init(_ text: String) throws {
    let parser = XML_ParserCreate("UTF-8")
    defer { XML_ParserFree(parser) }
    let builder = Builder()
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser,
      { pointer, name, attributes in
        guard let name else { return }
        var values: [String: String] = [:]
        var index = 0
        while let key = attributes?[index], let value = attributes?[index + 1] {
          values[String(cString: key)] = String(cString: value)
          index += 2
        }
        Builder.at(pointer)?.open.append(
          MarkupTree(name: String(cString: name), attributes: values)
        )
      },
      { pointer, _ in Builder.at(pointer)?.close() }
    )
    XML_SetCharacterDataHandler(parser) { pointer, bytes, count in
      guard let builder = Builder.at(pointer), let bytes, !builder.open.isEmpty else { return }
      let raw = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      builder.open[builder.open.count - 1].text += String(decoding: raw, as: UTF8.self)
    }
    let status = Array(text.utf8).withUnsafeBytes { bytes in
      XML_Parse(
        parser,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        CInt(bytes.count),
        1
      )
    }
    guard status == XML_STATUS_OK, let root = withExtendedLifetime(builder, { builder.root }) else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? ""
      throw MarkupFault(description: "line \(XML_GetCurrentLineNumber(parser)): \(reason)")
    }
    self = root
  }

  private final class Builder {
    var open: [MarkupTree] = []
    var root: MarkupTree?

    static func at(_ pointer: UnsafeMutableRawPointer?) -> Builder? {
      pointer.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    func close() {
      let element = open.removeLast()
      guard !open.isEmpty else {
        root = element
        return
      }
      open[open.count - 1].text += element.text
      open[open.count - 1].children.append(element)
    }
  }
}
