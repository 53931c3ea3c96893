import TestSupport
import Testing

/// Versions of a model that differ less than they seem to, or in a way that is easily misread.
struct OddHistory: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The versions, the oldest first.
  let versions: [String]

  private init(_ description: String, _ versions: String...) {
    testDescription = description
    self.versions = versions.map { "remodel: 1\n\($0)" }
  }

  /// Every version of these has every value of the others.
  static let renamings = [
    OddHistory(
      "identifiers that come and go midway",
      "entities: { Car: { attributes: { tint: string } } }",
      "entities: { Car: { attributes: { color: { type: string, renamingIdentifier: tint } } } }",
      "entities: { Car: { attributes: { color: string } } }",
      "entities: { Car: { attributes: { paint: { type: string, renamingIdentifier: color } } } }",
      "entities: { Car: { attributes: { body: { type: string, renamingIdentifier: color } } } }"
    ),
    OddHistory(
      "stale identifiers of entities and properties",
      "entities: { Car: { attributes: { a: string, n: integer16 } } }",
      """
      entities:
        Auto:
          renamingIdentifier: Car
          attributes: { b: { type: string, renamingIdentifier: a }, n: integer16 }
      """,
      """
      entities:
        Auto:
          renamingIdentifier: Car
          attributes: { b: { type: string, renamingIdentifier: a }, n: integer32 }
      """,
      """
      entities:
        Auto:
          renamingIdentifier: Wagon
          attributes: { b: { type: string, renamingIdentifier: z }, n: integer32 }
      """
    ),
    OddHistory(
      "an entity's identifier that was an attribute's name",
      "entities: { Car: { attributes: { color: string } } }",
      """
      entities:
        Car:
          renamingIdentifier: color
          attributes: { paint: { type: string, renamingIdentifier: color } }
      """,
      "entities: { Car: { attributes: { paint: { type: string, renamingIdentifier: color } } } }"
    ),
    OddHistory(
      "names that differ in case alone",
      "entities: { car: { attributes: { plate: string, Seats: integer16 } } }",
      """
      entities:
        Car:
          renamingIdentifier: car
          attributes: { Plate: { type: string, renamingIdentifier: plate }, Seats: integer16 }
      """,
      """
      entities:
        Car:
          renamingIdentifier: car
          table: CAR
          attributes:
            Plate: { type: string, renamingIdentifier: plate, column: PLATE }
            Seats: { type: integer16, column: sEATS }
      """
    ),
    OddHistory(
      "composites in composites",
      """
      entities: { Shop: { attributes: { place: composite(Address) } } }
      composites:
        Address: { city: string, spot: composite(Spot) }
        Spot: { lat: double, long: double }
      """,
      """
      entities:
        Store:
          renamingIdentifier: Shop
          attributes: { place: composite(Address) }
      composites:
        Address: { city: string, spot: composite(Spot) }
        Spot: { latitude: { type: double, renamingIdentifier: lat }, long: double }
      """,
      """
      entities:
        Store:
          renamingIdentifier: Shop
          attributes: { home: { type: composite(Address), renamingIdentifier: place } }
      composites:
        Address: { city: string, spot: composite(Spot) }
        Spot: { latitude: { type: double, renamingIdentifier: lat }, long: double }
      """
    ),
  ]

  /// All versions of these are laid out alike.
  static let identical = [
    OddHistory(
      "versions with equal hashes",
      "identifier: a\nentities: { Car: { attributes: { plate: string } } }",
      "identifier: b\nentities: { Car: { attributes: { plate: string }, userInfo: { x: y } } }",
      "entities: { Car: { attributes: { plate: { type: string, renamingIdentifier: sign } } } }"
    ),
    OddHistory(
      "a hash modifier that comes and goes",
      "entities: { Car: { attributes: { plate: string } } }",
      "entities: { Car: { versionHashModifier: \"2\", attributes: { plate: string } } }",
      "entities: { Car: { attributes: { plate: string } } }"
    ),
  ]
}
