import PostgresClient
import Testing

@Suite
struct SQLStateTests {
  @Test(arguments: [("22001", true), ("22P02", true), ("21000", true), ("23505", false)])
  func `values that do not fit are no faults of the statement`(code: String, isData: Bool) throws {
    #expect(SQLState(rawValue: code).isDataException == isData)
  }
}
