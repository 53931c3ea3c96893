package import ObjectModel
package import SQLSyntax

extension AttributeType {
  /// The type of the column; none for what is not stored in one column, or not at all.
  package var columnType: SQLTypeName? {
    switch self {
    case .integer16: "smallint"
    case .integer32: "integer"
    case .integer64, .objectID: "bigint"
    case .decimal: "numeric"
    case .double: "double precision"
    case .float: "real"
    case .string, .uri, .enumeration: "text"
    case .boolean: "boolean"
    case .date: "timestamp with time zone"
    case .binary, .transformable: "bytea"
    case .uuid: "uuid"
    case .json: "jsonb"
    case .calendarDate: "date"
    case .time: "time without time zone"
    case .interval: "interval"
    case .inet: "inet"
    case .numeric(let precision, let scale): SQLTypeName("numeric(\(precision),\(scale))")
    case .varchar(let length): SQLTypeName("character varying(\(length))")
    case .array(let element):
      // Of an array of the server's own types one more dimension is the same type.
      element.columnType.flatMap { SQLTypeName($0.text.hasSuffix("[]") ? $0.text : "\($0.text)[]") }
    case .sql(let type): SQLTypeName(type).flatMap { _ in canonicalColumnType }
    case .undefined, .composite: nil
    }
  }

  private var canonicalColumnType: SQLTypeName? {
    if case .sql(let name) = canonical { SQLTypeName(name) } else { canonical.columnType }
  }

  /// A Boolean value that indicates whether values may be longer than an index takes.
  var isUnbounded: Bool {
    switch self {
    case .string, .uri, .binary, .transformable, .varchar, .json, .array, .sql: true
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
      .date, .uuid, .objectID, .composite, .calendarDate, .time, .interval, .inet, .numeric,
      .enumeration:
      false
    }
  }
}
