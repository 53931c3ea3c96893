package import PostgresClient

/// Places at which a test may make something happen.
package struct Failpoints: Sendable {
  /// Is told which place is reached, and on which connection.
  package typealias Observer = @Sendable (String, borrowing PostgresConnection) throws -> Void

  private let observer: Observer?

  /// Creates places at which nothing happens.
  package init() {
    observer = nil
  }

  #if DEBUG
  /// Creates places that are told of.
  package init(_ observer: @escaping Observer) {
    self.observer = observer
  }
  #endif

  /// Notes that a place is reached.
  package func reach(_ name: String, _ connection: borrowing PostgresConnection) throws {
    #if DEBUG
    try observer?(name, connection)
    #endif
  }
}
