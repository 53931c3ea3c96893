package import PostgresClient

/// Places at which a test can intervene.
package struct Failpoints: Sendable {
  /// Gets the name of the reached failpoint, and its connection.
  package typealias Observer = @Sendable (String, borrowing PostgresConnection) throws -> Void

  private let observer: Observer?

  /// Creates places at which nothing happens.
  package init() {
    observer = nil
  }

  #if DEBUG
  /// Creates failpoints with an observer.
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
