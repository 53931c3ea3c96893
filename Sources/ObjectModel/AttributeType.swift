/// The type of an attribute's values: Core Data's types, and PostgreSQL's own beside them.
public enum AttributeType: Hashable, Sendable {
  /// No type: only a transient attribute may have none.
  case undefined
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case uri
  case boolean
  /// An instant, Core Data's "Date".
  case date
  case binary
  case uuid
  /// A value that a transformer of the application turns into bytes.
  case transformable
  case objectID
  /// A group of attributes that the model defines under a name.
  case composite(String)

  /// A JSON document.
  case json
  /// A day of the calendar, PostgreSQL's `date`.
  case calendarDate
  case time
  case interval
  case inet
  /// A decimal number with so many digits in all, and so many of them after the point.
  case numeric(precision: Int, scale: Int)
  /// Text of at most so many characters.
  case varchar(Int)
  indirect case array(AttributeType)
  /// One of the listed texts.
  case enumeration([String])
  /// Any other type of the server, by its name.
  case sql(String)
}
