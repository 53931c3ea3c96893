package import PostgresClient
internal import SQLSyntax

/// How many locks the server has room for.
package struct LockCapacity: Hashable, Sendable {
  /// The setting `max_locks_per_transaction`.
  package let perTransaction: Int
  /// The transactions that the setting is multiplied by.
  package let transactions: Int

  /// Creates a capacity.
  package init(perTransaction: Int, transactions: Int) {
    self.perTransaction = perTransaction
    self.transactions = transactions
  }

  /// Asks the server.
  package init(_ connection: borrowing PostgresConnection) throws {
    let row = try connection.query(
      """
      SELECT current_setting('max_locks_per_transaction')::integer AS locks, \
      current_setting('max_connections')::integer \
      + current_setting('max_prepared_transactions')::integer AS transactions
      """
    ).first
    perTransaction = row?.integer("locks") ?? 64
    transactions = row?.integer("transactions") ?? 100
  }

  /// The locks that all transactions together may count on.
  package var total: Int { perTransaction * transactions }

  /// Returns the setting that would leave room for so many locks.
  package func setting(for locks: Int) -> Int {
    (locks + max(transactions, 1) - 1) / max(transactions, 1)
  }
}
