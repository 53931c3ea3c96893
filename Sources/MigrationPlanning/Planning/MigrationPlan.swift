internal import ObjectModel
public import SQLSyntax

/// All that a migration will do, in order.
public struct MigrationPlan: Sendable {
  /// The steps, each in a transaction of its own.
  public let steps: [MigrationStep]
  /// The schema that the tables are in.
  public var schema: SQLIdentifier { place.schema }
  /// The store that the plan is for, as far as that does not depend on the database.
  package let place: Place

  /// The identity of a store in its database, and the owner of its objects.
  package struct Place: Hashable, Sendable {
    /// The schema of the tables.
    package let schema: SQLIdentifier
    /// The schema of the metadata.
    package let metadataSchema: SQLIdentifier
    /// The name of the model.
    package let modelName: String
    /// The configuration that the store holds; none for the whole model.
    package let configurationName: String?
    /// The role that sessions take on after their login; none if they keep that of the login.
    package let role: SQLIdentifier?

    /// Creates a place.
    package init(
      schema: SQLIdentifier,
      metadataSchema: SQLIdentifier,
      modelName: String,
      configurationName: String? = nil,
      role: SQLIdentifier? = nil
    ) {
      self.schema = schema
      self.metadataSchema = metadataSchema
      self.modelName = modelName
      self.configurationName = configurationName
      self.role = role
    }
  }

  /// Creates a plan.
  package init(steps: [MigrationStep], in place: Place) {
    self.steps = steps
    self.place = place
  }

  /// A digest of the plan and its environment: the store by its names, the assumed role, the
  /// versions, the rules of the layout, every statement and every precondition.
  public var digest: String { digest(afterSteps: []) }

  /// Returns the digest of the plan that this one is the rest of.
  ///
  /// - Parameter digests: The digests of the steps that were taken of it, in their order.
  /// - Returns: The digest.
  package func digest(afterSteps digests: [String]) -> String {
    var bytes: [UInt8] = []
    let head = [
      "plan:3", String(ModelProjection.layoutRules), place.schema.name, place.metadataSchema.name,
      place.modelName, place.configurationName ?? "", place.role?.name ?? "",
    ]
    for text in head + digests + steps.map(\.digest) {
      bytes += text.utf8
      bytes.append(0)
    }
    return "sha256:" + hexadecimalSHA256(of: bytes)
  }

  /// Returns a digest that plans have in common which differ in some names alone.
  ///
  /// - Parameter names: The names that do not count, wherever they stand as a word: in statements of
  ///   ours and in those that the server gave out.
  /// - Returns: The digest.
  package func digest(withoutNames names: [SQLIdentifier]) -> String {
    var bytes: [UInt8] = []
    for step in steps {
      step.addFingerprint { text in
        var text = Array(text.utf8)
        for (number, name) in names.enumerated() {
          text = text.replacingWord(Array(name.name.utf8), with: [0, UInt8(number)])
        }
        bytes += text
        bytes.append(0)
      }
    }
    return "sha256:" + hexadecimalSHA256(of: bytes)
  }
}

extension [UInt8] {
  /// Returns a text with other bytes in place of a word, where it is no part of a longer one.
  fileprivate func replacingWord(_ word: [UInt8], with other: [UInt8]) -> [UInt8] {
    guard !word.isEmpty else { return self }
    var result: [UInt8] = []
    var rest = self[...]
    while let range = rest.firstRange(of: word) {
      let isBegin = range.lowerBound == startIndex || !self[range.lowerBound - 1].isOfWord
      let isEnd = range.upperBound == endIndex || !self[range.upperBound].isOfWord
      result += rest[..<range.lowerBound]
      result += isBegin && isEnd ? other : word
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

extension UInt8 {
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false  // Bytes are no enum.
    }
  }
}

extension MigrationStep {
  /// A digest of this step and its environment.
  public var digest: String {
    var bytes: [UInt8] = []
    addFingerprint { text in
      bytes += text.utf8
      bytes.append(0)
    }
    return "sha256:" + hexadecimalSHA256(of: bytes)
  }

  /// Adds the identity of the versions.
  func addVersions(to add: (String) -> Void) {
    for version in [source, destination] {
      add(version?.name ?? "")
      add(version?.hashes.checksum.text ?? "")
      add(version?.hashes.layoutDigest.text ?? "")
    }
  }

  fileprivate func addFingerprint(to add: (String) -> Void) {
    addVersions(to: add)
    for precondition in preconditions { add(precondition.query.text) }
    for table in lockedTables { add("\(table.name.quoted) \(table.mode.name)") }
    for statement in statements {
      add(statement.sql.text)
      if let rowPolicy = statement.rowPolicy { add("\(rowPolicy.identity)") }
    }
    for statement in lateStatements { add("\(statement.phase.rawValue) \(statement.sql.text)") }
    guard let copy else { return }
    // A copy continues in the way in which it began, whatever the settings are now.
    copy.addFingerprint(to: add)
    for part in copy.carriedParts { for statement in part.statements { add(statement.sql.text) } }
    for statement in settlingStatements { add(statement.sql.text) }
  }
}
