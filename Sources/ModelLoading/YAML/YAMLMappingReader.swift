import Diagnostics
import ModelMapping

/// Makes a mapping model of our YAML.
struct YAMLMappingReader: YAMLReader {
  let source: SourceText
  var diagnostics: [Diagnostic] = []
  var offsets: [MappingElement: Int] = [:]
  var texts: [MappingElement: ScalarOffsets] = [:]
  var holes: [MappingHole] = []

  /// The version of the format that this reads.
  static let formatVersion = "1"

  static func read(_ root: YAMLNode, of source: SourceText) -> MappingDraft {
    var reader = YAMLMappingReader(source: source)
    var draft = MappingDraft()
    reader.fill(&draft, from: root)
    draft.offsets = reader.offsets
    draft.texts = reader.texts
    draft.holes = reader.holes
    draft.diagnostics = reader.diagnostics
    return draft
  }

  private mutating func fill(_ draft: inout MappingDraft, from root: YAMLNode) {
    offsets[.mappingModel] = root.offset
    guard checkFormatVersion(of: root) else { return }
    let fields = fields(of: root, keys: YAMLKeys.mappingModel, in: "the mapping model")
    draft.source = version(fields["source"], fields["sourceChecksum"], "source", root)
    draft.destination = version(
      fields["destination"],
      fields["destinationChecksum"],
      "destination",
      root
    )
    draft.mappingModel.before = statements(fields["before"], what: "before") { .before($0) }
    if fields["entities"] == nil, fields["before"] == nil, fields["after"] == nil {
      error("mapping model has no key \"entities\"", at: root.offset)
    }
    for (index, node) in items(of: fields["entities"], what: "entities").enumerated() {
      draft.mappingModel.entityMappings.append(entityMapping(node, at: index))
    }
    draft.mappingModel.after = statements(fields["after"], what: "after") { .after($0) }
  }

  /// Returns whether this reader supports the file's format version, which also identifies
  /// Remodel's files.
  private mutating func checkFormatVersion(of root: YAMLNode) -> Bool {
    guard case .mapping(let entries) = root.content,
      let node = entries.first(where: { $0.key == "remodelMapping" })?.value
    else {
      error(
        "file is not a mapping model: it has no key \"remodelMapping\"",
        hint: "Start the file with \"remodelMapping: \(Self.formatVersion)\".",
        at: root.offset
      )
      return false
    }
    guard let version = text(node, what: "remodelMapping") else { return false }
    guard version == Self.formatVersion else {
      error(
        "unsupported format version \"\(version)\"",
        detail: "This release reads version \(Self.formatVersion).",
        at: node.offset
      )
      return false
    }
    return true
  }

  private mutating func version(
    _ name: YAMLNode?,
    _ checksum: YAMLNode?,
    _ key: String,
    _ root: YAMLNode
  ) -> MappedVersion {
    if name == nil {
      error(
        "mapping model has no key \"\(key)\"",
        hint: "Name the version \(key == "source" ? "before" : "after") it.",
        at: root.offset
      )
    }
    return MappedVersion(
      name: text(name, what: key),
      checksum: text(checksum, what: "\(key)Checksum")
    )
  }

  /// Returns SQL: one text, or a list of them.
  private mutating func statements(
    _ node: YAMLNode?,
    what: String,
    element: (Int) -> MappingElement
  ) -> [SQLTemplate] {
    guard let node, !node.isNull else { return [] }
    let nodes: [YAMLNode]
    if case .sequence(let items) = node.content { nodes = items } else { nodes = [node] }
    var templates: [SQLTemplate] = []
    for node in nodes {
      guard let template = template(node, what: what, of: element(templates.count)) else {
        continue
      }
      templates.append(template)
    }
    return templates
  }
}
