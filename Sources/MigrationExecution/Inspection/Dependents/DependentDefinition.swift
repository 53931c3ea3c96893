internal import MigrationPlanning
internal import SQLSyntax

/// The catalog's definition of a dependent object of one kind, and the statements that create it
/// again.
protocol DependentDefinition: Decodable {
  /// Returns a row with a JSON object for each number of the JSON array `$1`.
  static var query: SQLFragment { get }
  /// The common properties of all kinds.
  var circumstances: ObjectCircumstances { get }
  /// The statement that drops it.
  var drop: SQLFragment { get }
  /// The statements that create it.
  var create: [SQLFragment] { get }
  /// A Boolean value that indicates whether making it reads tables from end to end.
  var scansTables: Bool { get }
  /// The reason why it cannot be created exactly, for its kind.
  var obstacle: String? { get }
  /// The name that it has among the constraints and indexes of its table.
  var partName: String? { get }
  /// The function that the creator of the object must be able to execute.
  var calledRoutine: QualifiedName? { get }
  /// The names of storage parameters that no manual lists, which nothing like it is given.
  var unrecognizedParameters: [String] { get }
  /// Returns how to create it on a table that is still in another schema; `nil` if it has to wait.
  func earlyCreation(in schema: SQLIdentifier) -> DependentObject.EarlyCreation?
}

extension DependentDefinition {
  var scansTables: Bool { false }
  var obstacle: String? { nil }
  var partName: String? { nil }
  var calledRoutine: QualifiedName? { nil }
  var unrecognizedParameters: [String] { [] }

  func earlyCreation(in schema: SQLIdentifier) -> DependentObject.EarlyCreation? { nil }

  /// How to create the object again.
  var recreation: DependentObject.Recreation {
    if let reason = circumstances.obstacle ?? obstacle { return .impossible(reason) }
    return .possible(drop: drop, create: create, scansTables: scansTables)
  }
}

/// The common properties of all kinds of objects.
struct ObjectCircumstances: Decodable {
  let objectID: Int
  let comment: String?
  /// Whether it belongs to an extension, or has a security label.
  let isBound: Bool
  let owner: String
  let currentRole: String
  /// Whether the current role can create it and give it to its owner.
  let isOwnerUsable: Bool

  /// Returns the JSON object with these values.
  ///
  /// - Parameters:
  ///   - catalog: The catalog of the object.
  ///   - row: The row of the catalog.
  ///   - owner: The role that owns it, or the object that it is a part of.
  ///   - schema: The schema in which the owner must be able to create it.
  /// - Returns: The expression of the object.
  static func json(
    of catalog: SQLIdentifier,
    _ row: SQLIdentifier,
    owner: SQLFragment,
    schema: SQLFragment? = nil
  ) -> SQLFragment {
    let name = SQLLiteral.text(catalog.name)
    let mayCreate: SQLFragment =
      schema.map {
        """
        AND has_schema_privilege(\(ActingRole.name), \($0), 'CREATE') \
        AND (SELECT u.rolsuper OR u.oid = \(owner) \
        OR has_schema_privilege(\(owner), \($0), 'CREATE') FROM pg_roles u \
        WHERE u.rolname = \(ActingRole.name))
        """
      } ?? ""
    return """
      json_build_object('objectID', \(row).oid::bigint, \
      'comment', obj_description(\(row).oid, \(name)), \
      'isBound', EXISTS (SELECT FROM pg_depend e WHERE e.classid = \(name)::regclass \
      AND e.objid = \(row).oid AND e.deptype IN ('e', 'x')) OR EXISTS (SELECT FROM pg_seclabel l \
      WHERE l.classoid = \(name)::regclass AND l.objoid = \(row).oid), \
      'owner', pg_get_userbyid(\(owner)), 'currentRole', \(ActingRole.name), \
      'isOwnerUsable', pg_has_role(\(ActingRole.name), \(owner), 'USAGE') AND CASE \
      WHEN current_setting('server_version_num')::integer >= 160000 \
      THEN pg_has_role(\(ActingRole.name), \(owner), 'SET') \
      ELSE pg_has_role(\(ActingRole.name), \(owner), 'MEMBER') END \(mayCreate))
      """
  }

  /// The reason why it cannot be created.
  var obstacle: String? {
    if isBound { return "It belongs to an extension, or has a security label." }
    if !isOwnerUsable {
      return "Role \"\(currentRole)\" may not make it in the name of its owner, role \"\(owner)\"."
    }
    return nil
  }

  /// Returns the statement that sets the owner of the object, if it is another role.
  func ownerStatements(_ target: SQLFragment) -> [SQLFragment] {
    owner == currentRole ? [] : ["ALTER \(target) OWNER TO \(SQLIdentifier(owner))"]
  }

  /// Returns the statement that gives the object its comment, if it has one.
  func commentStatements(_ target: SQLFragment) -> [SQLFragment] {
    Self.commentStatements(comment, target)
  }

  /// Returns the statement that gives something a comment, if there is one.
  static func commentStatements(_ comment: String?, _ target: SQLFragment) -> [SQLFragment] {
    comment.map { ["COMMENT ON \(target) IS \(text: $0)"] } ?? []
  }
}

extension String {
  /// Returns the text between a prefix and a suffix; `nil` if it has others.
  func part(after head: String, before tail: String = "") -> String? {
    guard hasPrefix(head), hasSuffix(tail), utf8.count >= head.utf8.count + tail.utf8.count else {
      return nil
    }
    return String(dropFirst(head.count).dropLast(tail.count))
  }
}

extension SQLFragment {
  /// The condition that an object is one of the requested ones.
  static func isAskedFor(_ row: SQLIdentifier) -> SQLFragment {
    "\(row).oid IN (SELECT value::oid FROM json_array_elements_text($1::json))"
  }

  /// Creates a fragment of a statement that the server wrote, without its terminator.
  init(deparsedStatement text: String) {
    var text = Substring(text)
    while let last = text.last, last == ";" || last.isWhitespace { text.removeLast() }
    self.init(deparsed: String(text))
  }
}
