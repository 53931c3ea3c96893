public import Diagnostics
public import SQLSyntax

/// Something that SQL of a model or a mapping model names and that the database does not have.
public struct MissingName: Hashable, Sendable {
  /// The name.
  package let reference: WrittenReference
  /// The part with the name, for people: `the default of attribute "slug"`.
  public let owner: String
  /// The schemas that have something of the name.
  public let schemas: [SQLIdentifier]
  /// The place in the file; none if no file has it.
  public let location: SourceLocation?

  /// The fact in words.
  var diagnostic: Diagnostic {
    let schema = reference.schema.map { "\($0.name)." } ?? ""
    return Diagnostic(
      "\(reference.kind.rawValue) \"\(schema)\(reference.name)\" does not exist in the database",
      detail: "SQL names it: \(owner).",
      hint: hint,
      location: location
    )
  }

  private var hint: String {
    if schemas.isEmpty {
      return
        "Make it before the migration, in the database or in \"before\" of a mapping model, or "
        + "fix the SQL."
    }
    let names = schemas.map { "\($0).\(reference.name)" }
    return
      "There is \(names.joined(separator: ", ")). Migrations look up unqualified names only in "
      + "\"pg_catalog\": write the schema."
  }
}
