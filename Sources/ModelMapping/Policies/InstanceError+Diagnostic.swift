public import Diagnostics
internal import ObjectModel

extension InstanceError {
  /// The error in words.
  public var diagnostics: [Diagnostic] {
    let property = "property \"\(key)\" of entity \"\(entityName)\""
    switch fact {
    case .notHanded(let names):
      return [
        Diagnostic(
          "\(property) is not one that the policy has to do with",
          detail: names.isEmpty ? nil : "It has to do with \(names.joined(separator: ", ")).",
          hint: suggestion(for: key, among: names).map { "Did you mean \"\($0)\"?" }
            ?? "Name it in the policy's instance creation."
        )
      ]
    case .otherType(let type):
      return [
        Diagnostic(
          "\(property) has a value of type \(type) that cannot be read so",
          hint: "Use bytes(forKey:) for bytes, and text(forKey:) for what the server prints."
        )
      ]
    case .notA(let kind): return [Diagnostic("\(property) is no \(kind)")]
    case .notOfType(let type):
      return [
        Diagnostic(
          "\(property) cannot have a value that is not of type \(type)",
          hint: "Give it a value of its type; setBytes(_:forKey:) is for bytes."
        )
      ]
    }
  }
}
