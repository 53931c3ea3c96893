internal import MigrationPlanning
internal import PostgresClient

/// Decodes a row of a query as a type of texts, numbers and Booleans.
struct RowDecoder: Decoder {
  let row: QueryResult.Row

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw TestingError(.notDecodable(nil, column: row.columns.first ?? "", type: "list"))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard let column = row.columns.first else {
      throw TestingError(.noColumn("1", columns: []))
    }
    return ColumnDecoder(column: column, value: row[column])
  }
}

/// The columns of a row, by the names of properties.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: QueryResult.Row

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.compactMap { Key(stringValue: $0) } }

  // A property that no column is called like is an error, be it optional.
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool {
    try decoder(for: key).decodeNil()
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(for: key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(for: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(for: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { RowDecoder(row: row) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

  private func column(of key: Key) -> String? {
    [key.stringValue, StorageNames.snakeCase(key.stringValue)].first { row.columns.contains($0) }
  }

  private func decoder(for key: Key) throws -> ColumnDecoder {
    guard let column = column(of: key) else {
      throw TestingError(.noColumn(key.stringValue, columns: row.columns))
    }
    return ColumnDecoder(column: column, value: row[column])
  }
}

private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let column: String
  let value: String?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decodeNil() -> Bool { value == nil }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Bool.self {
      return try cast(["t": true, "f": false][value ?? ""], type)
    }
    if let type = type as? any LosslessStringConvertible.Type {
      return try cast(value.flatMap { type.init($0) }, Value.self)
    }
    return try Value(from: self)
  }

  private func cast<Value>(_ found: Any?, _ type: Value.Type) throws -> Value {
    guard let found = found as? Value else { throw mismatch("\(type)") }
    return found
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    throw mismatch("group of values")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch("list") }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func mismatch(_ type: String) -> TestingError {
    TestingError(.notDecodable(value, column: column, type: type))
  }
}
