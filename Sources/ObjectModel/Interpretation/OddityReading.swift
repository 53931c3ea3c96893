/// How an odd part of a model is read.
package enum OddityReading: Hashable, Sendable {
  /// The relationship has no inverse.
  case withoutInverse
  /// The property is the one that the entity inherits.
  case inherited(from: String)
  /// The limits are not there.
  case withoutLimits
  /// The relationship has no order.
  case withoutOrder
  /// The part is not there.
  case leftOut
  /// The list is read without a name in it.
  case without(String)
  /// The name is listed once.
  case once(String)
  /// The part has another name.
  case called(String)
  /// The entities are added to the first part of the name.
  case addedToFirst
  /// The first part of the name counts.
  case first

  /// The reading in a sentence.
  var words: String {
    switch self {
    case .withoutInverse: "It is read as a relationship without an inverse."
    case .inherited(let entity): "It is read as the property of entity \"\(entity)\"."
    case .withoutLimits: "Both limits are left out."
    case .withoutOrder: "It is read as a relationship without an order."
    case .leftOut: "It is left out."
    case .without(let name): "It is read without \"\(name)\"."
    case .once(let name): "It is read as if \"\(name)\" were listed once."
    case .called(let name): "It is read under the name \"\(name)\"."
    case .addedToFirst: "Its entities are added to the first one."
    case .first: "The first one counts."
    }
  }
}
