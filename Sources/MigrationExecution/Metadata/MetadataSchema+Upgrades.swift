internal import SQLSyntax

extension MetadataSchema {
  /// The table of stores that are being created in several transactions, since layout 2.
  var creationTable: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("store_creation")) (
        schema_name text NOT NULL,
        model_name text NOT NULL,
        configuration text,
        version_name text NOT NULL,
        checksum text NOT NULL,
        layout_digest text NOT NULL,
        layout_rules integer NOT NULL,
        model json NOT NULL,
        plan_digest text NOT NULL,
        done integer NOT NULL,
        total integer NOT NULL,
        tool_version text NOT NULL,
        started_at timestamp with time zone NOT NULL DEFAULT now(),
        updated_at timestamp with time zone NOT NULL DEFAULT now(),
        PRIMARY KEY (schema_name, model_name)
      )
      """
    ]
  }

  /// The statements that bring the schema from an earlier layout to this one, in place.
  func upgrade(from version: Int) -> [SQLFragment] {
    guard version < Self.layoutVersion else { return [] }
    var statements: [SQLFragment] = []
    if version < 2 { statements += creationTable + grants(["store_creation"]) }
    if version < 3 {
      statements += jobTables + [jobProgressView] + jobComments
      statements += grants(["job", "job_chunk", "job_source", "job_event", "job_progress"])
    } else if version < 4 {
      statements += jobUpgrade
    }
    if version < 4 { statements += grants(["job_carried", "job_validation"]) }
    if version < 5 {
      statements += historyUpgrade + definitionUpgrade
      statements += lateWorkObjects + grants(["late_work", "pending"])
    }
    return statements + [
      """
      UPDATE \(relation("metadata")) SET layout_version = \
      \(SQLLiteral.integer(Int64(Self.layoutVersion))), tool_version = \(SQLLiteral.text(toolVersion))
      """
    ]
  }

  /// What the audit trail says of applications and approvals, since layout 5.
  private var historyUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("history_event")) ADD COLUMN IF NOT EXISTS application text, \
      ADD COLUMN IF NOT EXISTS approved_digest text, ADD COLUMN IF NOT EXISTS approved_by text
      """,
      historyView,
    ]
  }

  private func grants(_ names: [SQLIdentifier]) -> [SQLFragment] {
    names.map { "GRANT SELECT ON \(relation($0)) TO PUBLIC" }
  }
}
