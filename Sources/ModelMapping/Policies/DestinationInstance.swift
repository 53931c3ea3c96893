public import ObjectModel

/// A row of the destination with the attributes that a policy sets.
///
/// The server computes all other attributes and the relationships by the mapping.
public struct DestinationInstance: Sendable {
  /// The layout of the row.
  package let layout: InstanceLayout
  /// The values as the server reads them, in the order of the layout.
  package private(set) var texts: [String?]
  /// The position of the source's row in its batch.
  package let position: Int
  /// The entity mapping and the number of a row that a manager has created.
  package let managed: (mappingName: String, number: Int)?

  /// Creates a row for one of the source, with the default values of its attributes.
  public init(of source: SourceInstance) {
    layout = source.layout
    position = source.position
    managed = nil
    texts = source.layout.destination.properties.map { $0.defaultValue?.serverText }
  }

  /// Creates a row that a manager numbers.
  init(_ layout: InstanceLayout, number: Int, ofMapping mappingName: String) {
    self.layout = layout
    position = -1
    managed = (mappingName, number)
    texts = layout.destination.properties.map { $0.defaultValue?.serverText }
  }

  /// Sets an attribute.
  ///
  /// - Parameters:
  ///   - value: The value; NULL if there is none.
  ///   - key: The name of the attribute.
  /// - Throws: An error if the policy has not declared that it sets it, or if the value is not of
  ///   its type.
  public mutating func setValue(
    _ value: AttributeValue?,
    forKey key: String
  ) throws(InstanceError) {
    let position = try layout.destination.position(of: key)
    let type = layout.destination.properties[position].type
    guard value?.canBeServerText(of: type) ?? true else {
      throw InstanceError(
        entityName: layout.destination.entityName,
        key: key,
        fact: .notOfType(type)
      )
    }
    texts[position] = value?.serverText
  }

  /// Sets an attribute by a text that the server reads as a value of its type.
  public mutating func setText(_ text: String?, forKey key: String) throws(InstanceError) {
    texts[try layout.destination.position(of: key)] = text
  }

  /// Sets a binary or transformable attribute.
  public mutating func setBytes(_ bytes: [UInt8]?, forKey key: String) throws(InstanceError) {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.map { bytes in
      "\\x"
        + String(
          decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
          as: UTF8.self
        )
    }
    try setText(text, forKey: key)
  }

  /// Returns the value that an attribute has now, as the server reads it.
  public func text(forKey key: String) throws(InstanceError) -> String? {
    texts[try layout.destination.position(of: key)]
  }
}
