import RemodelKit

/// The diagram of a version.
struct DiagramReport: Report {
  let version: VersionReference
  let diagram: EntityDiagram

  var json: [String: JSONValue] {
    [
      "version": .string(version.name),
      "checksum": .string(version.checksum.text),
      "mermaid": .string(diagram.mermaid),
      "dot": .string(diagram.dot),
    ]
  }

  func lines(_ style: TextStyle) -> [String] { diagram.mermaid.lines }
}
