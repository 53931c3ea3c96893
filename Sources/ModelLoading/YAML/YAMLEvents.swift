import CYAML
import Diagnostics

/// The next event of libyaml.
enum YAMLEvent {
  case streamStart
  case streamEnd
  case documentStart
  case documentEnd
  case scalar(String, isPlain: Bool, properties: YAMLProperties)
  case alias
  case sequenceStart(YAMLProperties)
  case sequenceEnd
  case mappingStart(YAMLProperties)
  case mappingEnd
}

/// The properties before a value.
struct YAMLProperties {
  let hasAnchor: Bool
  let hasTag: Bool
}

/// libyaml's parser over the bytes of a file.
struct YAMLEvents {
  private let source: SourceText
  private var offsets: CharacterOffsets
  /// The parser keeps pointers into itself, so it has to stay where it is.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutablePointer<UInt8>

  init(_ source: SourceText) throws(ModelLoadingError) {
    self.source = source
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = source.bytes.dropFirst(source.bytes.starts(with: byteOrderMark) ? 3 : 0)
    offsets = CharacterOffsets(text)
    parser = .allocate(capacity: 1)
    input = .allocate(capacity: max(1, text.count))
    _ = UnsafeMutableBufferPointer(start: input, count: text.count).update(fromContentsOf: text)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      input.deallocate()
      throw ModelLoadingError(Diagnostic("could not read \"\(source.path)\": out of memory"))
    }
    yaml_parser_set_input_string(parser, input, text.count)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  /// Frees the parser's memory; call nothing else afterwards.
  func release() {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  mutating func next() throws(ModelLoadingError) -> (event: YAMLEvent, offset: Int) {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw ModelLoadingError(problem()) }
    defer { yaml_event_delete(&event) }
    let offset = offsets.byteOffset(ofCharacter: event.start_mark.index)
    return (Self.event(event), offset)
  }

  private mutating func problem() -> Diagnostic {
    let text = parser.pointee.problem.map { String(cString: $0) } ?? "unexpected input"
    let detail = parser.pointee.context.map { "It was found \(String(cString: $0))." }
    let offset =
      parser.pointee.error == YAML_READER_ERROR
      ? parser.pointee.problem_offset
      : offsets.byteOffset(ofCharacter: parser.pointee.problem_mark.index)
    return Diagnostic(
      "malformed YAML: \(text)",
      detail: detail,
      location: source.location(of: offset)
    )
  }

  private static func event(_ event: yaml_event_t) -> YAMLEvent {
    switch event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        String(decoding: bytes, as: UTF8.self),
        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
        properties: YAMLProperties(hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
      )
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return .sequenceStart(
        YAMLProperties(hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
      )
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return .mappingStart(
        YAMLProperties(hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
      )
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    // The end of the stream, and the empty event that libyaml gives after it.
    default: return .streamEnd
    }
  }
}
