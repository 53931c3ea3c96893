internal import ObjectModel
internal import SQLSyntax

extension AttributeType {
  /// The type of the column; none for what is not stored in one column, or not at all.
  var columnType: SQLTypeName? {
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
    case .array(let element): element.columnType.flatMap { SQLTypeName("\($0.text)[]") }
    case .sql(let type): SQLTypeName(type)
    case .undefined, .composite: nil
    }
  }

  /// A Boolean value that indicates whether values may be longer than an index takes.
  var isUnbounded: Bool {
    switch self {
    case .string, .uri, .binary, .transformable, .varchar: true
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
      .date, .uuid, .objectID, .composite, .json, .calendarDate, .time, .interval, .inet,
      .numeric, .array, .enumeration, .sql:
      false
    }
  }
}
