import MigrationPlanning
import Testing

@Suite
struct WrittenSQLTests {
  @Test
  func `statements end at semicolons that stand for themselves`() {
    let text = """
      SELECT ';', ";", E'\\';', $$;$$, $tag$ ; $$ ; $tag$ -- ;
      ; /* ; /* ; */ ; */ UPDATE x SET a$1 = $1;
      ;
      """

    let written = WrittenSQL(text)

    #expect(written.statements.count == 2)
    #expect(written.statements.last == " /* ; /* ; */ ; */ UPDATE x SET a$1 = $1")
    #expect(written.fault == nil)
  }

  @Test(arguments: [
    ("SELECT 1; commit", WrittenSQL.Fault.transactionCommand("COMMIT")),
    ("/* x */ Rollback", .transactionCommand("ROLLBACK")),
    ("SELECT 'it''s", .unterminated),
    ("SELECT \"a", .unterminated),
    ("SELECT $a$ $b$", .unterminated),
    ("SELECT 1 /* /* */", .unterminated),
    ("; -- nothing", .empty),
    // A comment ends at a carriage return, too.
    ("SELECT 1 -- x\r; COMMIT", .transactionCommand("COMMIT")),
  ])
  func `what cannot be run is found`(text: String, fault: WrittenSQL.Fault) {
    #expect(WrittenSQL(text).fault == fault)
  }

  @Test
  func `words inside a statement are its own`() {
    #expect(WrittenSQL("SELECT 1 AS commit; SELECT CASE WHEN true THEN 1 END").fault == nil)
  }

  @Test
  func `the body of a routine and the actions of a rule are parts of their statement`() {
    let text = """
      CREATE OR REPLACE FUNCTION f() RETURNS integer BEGIN ATOMIC
        SELECT CASE WHEN true THEN 1 END; SELECT 2; END;
      CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);
      SELECT 3
      """

    #expect(WrittenSQL(text).firstWords == ["CREATE", "CREATE", "SELECT"])
  }
}
