public import SQLSyntax

extension CopyStatements {
  /// Returns a query with one row and one column of text, which changes when a source does: its
  /// columns, their types, triggers, rules, row security, inheritance, or what captures its changes.
  ///
  /// Not its file: emptying a table gives it another one, and is captured.
  public func fingerprint(of source: CopySource) -> SQLFragment {
    """
    SELECT md5(concat_ws('|', c.oid, c.relkind, c.relpersistence, c.relrowsecurity,
        c.relforcerowsecurity,
        (SELECT string_agg(concat_ws(' ', a.attnum, a.attname, a.atttypid, a.atttypmod,
              a.attnotnull, a.attgenerated, a.attisdropped, a.attcollation, a.xmin), ',' ORDER BY a.attnum)
          FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0),
        (SELECT string_agg(concat_ws(' ', d.adnum, d.adbin), ',' ORDER BY d.adnum)
          FROM pg_attrdef AS d JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
          WHERE d.adrelid = c.oid AND a.attgenerated <> ''),
        (SELECT string_agg(concat_ws(' ', t.oid, t.tgname, t.tgenabled, t.tgtype, t.tgfoid, t.tgqual),
              ',' ORDER BY t.tgname)
          FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
        (SELECT string_agg(concat_ws(' ', p.oid, p.prosrc, p.prosecdef, p.proconfig, p.proowner),
              ',' ORDER BY p.oid)
          FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
            JOIN pg_namespace AS n ON n.oid = p.pronamespace
          WHERE t.tgrelid = c.oid AND n.nspname = \(.text(plan.stagingSchema.name))),
        (SELECT string_agg(concat_ws(' ', r.rulename, r.ev_enabled, r.ev_action), ',' ORDER BY r.rulename)
          FROM pg_rewrite AS r WHERE r.ev_class = c.oid),
        (SELECT string_agg(concat_ws(' ', p.polname, p.polcmd, p.polroles, p.polqual, p.polwithcheck),
              ',' ORDER BY p.polname)
          FROM pg_policy AS p WHERE p.polrelid = c.oid),
        (SELECT string_agg(concat_ws(' ', i.inhrelid, i.inhparent), ',' ORDER BY i.inhrelid, i.inhparent)
          FROM pg_inherits AS i WHERE c.oid IN (i.inhrelid, i.inhparent))
      )) AS fingerprint
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = \(.text(plan.schema.name)) AND c.relname = \(.text(source.table.name))
    """
  }

  /// Returns a query for what keeps the changes of a source from being captured: a row for each
  /// obstacle, a ``CaptureObstacle`` in its only column.
  public func captureObstacles(of source: CopySource) -> SQLFragment {
    """
    SELECT o.obstacle
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
        LATERAL (VALUES
          (\(.text(CaptureObstacle.isPartitioned.rawValue)), c.relkind = 'p' OR c.relispartition),
          (\(.text(CaptureObstacle.isNotATable.rawValue)), c.relkind NOT IN ('r', 'p')),
          (\(.text(CaptureObstacle.isInherited.rawValue)),
            c.relkind = 'r' AND NOT c.relispartition AND EXISTS (
              SELECT FROM pg_inherits AS i WHERE c.oid IN (i.inhrelid, i.inhparent))),
          (\(.text(CaptureObstacle.hidesRows.rawValue)), row_security_active(c.oid)),
          (\(.text(CaptureObstacle.isNotLogged.rawValue)), c.relpersistence <> 'p')
        ) AS o (obstacle, is_met)
      WHERE n.nspname = \(.text(plan.schema.name)) AND c.relname = \(.text(source.table.name))
        AND o.is_met
    """
  }
}

/// Why the changes of a table cannot be captured.
public enum CaptureObstacle: String, Hashable, Sendable, CaseIterable {
  /// It has partitions or is one: emptying a partition would go unnoticed.
  case isPartitioned = "partitioned"
  /// Others inherit from it, or it inherits.
  case isInherited = "inherited"
  /// It is a view, or a table of another server.
  case isNotATable = "no table"
  /// Policies hide rows of it from us.
  case hidesRows = "row security"
  /// A crash of the server empties it without any trigger.
  case isNotLogged = "not logged"
}
