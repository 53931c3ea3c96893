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
      statements += deferredWorkObjects + grants(["late_work", "pending"])
    }
    if version < 6 {
      statements += retentionUpgrade + unexpressedTable
      statements += grants(["made_table", "unexpressed_object"])
    }
    if version < 7 { statements += [clearedBounds] + withheldBounds }
    return statements + withdrawnRights(since: version) + [
      """
      UPDATE \(relation("metadata")) SET layout_version = \
      \(SQLLiteral.integer(Int64(Self.layoutVersion))), tool_version = \(SQLLiteral.text(toolVersion))
      """
    ]
  }

  /// What the audit log says of applications and approvals, since layout 5.
  private var historyUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("history_event")) ADD COLUMN IF NOT EXISTS application text, \
      ADD COLUMN IF NOT EXISTS approved_digest text, ADD COLUMN IF NOT EXISTS approved_by text
      """
    ]
  }

  /// The tables that a mapping model had filled when a step ended, since layout 6: by them it is told
  /// whether anything was written since.
  var madeTables: SQLFragment {
    """
    CREATE TABLE \(relation("made_table")) (
      store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
      version_name text NOT NULL,
      table_name text NOT NULL,
      table_oid oid NOT NULL,
      is_authored boolean NOT NULL,
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      snapshot pg_snapshot NOT NULL DEFAULT pg_current_snapshot(),
      row_count bigint,
      PRIMARY KEY (store, version_name, table_name)
    )
    """
  }

  /// What the audit log says besides migrations, and what retained objects were, since layout 6.
  private var retentionUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("history_event")) \
      ADD COLUMN IF NOT EXISTS kind text NOT NULL DEFAULT 'migration'
      """,
      "ALTER TABLE \(relation("retained_object")) ADD COLUMN IF NOT EXISTS origin json",
      madeTables,
      historyView,
    ]
  }

  private func grants(_ names: [SQLIdentifier]) -> [SQLFragment] {
    names.map { "GRANT SELECT ON \(relation($0)) TO PUBLIC" }
  }
}
