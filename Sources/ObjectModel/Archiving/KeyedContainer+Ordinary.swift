extension KeyedDecodingContainer {
  func decode<Value: Decodable>(_ key: Key, else ordinary: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? ordinary
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Value: Encodable & Equatable>(
    _ value: Value,
    _ key: Key,
    unless ordinary: Value
  ) throws {
    if value != ordinary { try encode(value, forKey: key) }
  }
}
