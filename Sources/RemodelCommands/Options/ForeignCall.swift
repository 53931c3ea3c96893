import ArgumentParser

/// Calls that people type out of habit from other migration tools, and what to type instead.
enum ForeignCall {
  /// Returns what to type instead of a call that is none.
  ///
  /// - Parameters:
  ///   - arguments: The call.
  ///   - message: The parser's message about it.
  /// - Returns: The advice; none if the call is not one of a habit.
  static func advice(for arguments: [String], _ message: String) -> String? {
    let option = unknownOption(in: message)
    if let option, let advice = advice(forOption: option) { return advice }
    guard option != nil || message.lowercased().contains("unexpected argument") else { return nil }
    let words = arguments.prefix { !$0.hasPrefix("-") }.map { $0.lowercased() }
    guard let first = words.first else { return nil }
    if let advice = table[words.prefix(2).joined(separator: " ")] { return advice }
    if ["migrate", "plan", "revert"].contains(first), words.count == 2, let last = arguments.last {
      return "A version is the value of an option: remodel \(first) --to \(last)."
    }
    guard !isVerb(first) else { return nil }
    return table[first] ?? groupAdvice(for: first)
  }

  private static func unknownOption(in message: String) -> String? {
    let start = "unknown option '"
    guard message.lowercased().hasPrefix(start) else { return nil }
    return String(message.dropFirst(start.count).prefix { $0 != "'" })
  }

  // MARK: - Verbs

  private static func isVerb(_ word: String) -> Bool {
    RemodelCommand.configuration.subcommands.contains { $0.configuration.commandName == word }
  }

  /// Returns the verbs of a group that have a word as their name.
  private static func groupAdvice(for word: String) -> String? {
    let calls = RemodelCommand.configuration.subcommands.flatMap { group in
      group.configuration.subcommands.filter { $0.configuration.commandName == word }
        .map { _ in "remodel \(group.configuration.commandName ?? "") \(word)" }
    }
    return calls.isEmpty ? nil : "Did you mean \(calls.joined(separator: " or "))?"
  }

  /// The advice by the words of a call.
  private static let table: [String: String] = {
    var table: [String: String] = [:]
    for (advice, calls) in verbs {
      for call in calls.split(separator: "|") { table[String(call)] = advice }
    }
    return table
  }()

  /// What to do, and the calls of others for it.
  static let verbs: [(advice: String, calls: String)] = [
    (
      "To bring a database to the current version: remodel migrate.",
      "up|upgrade|deploy|push|apply|update|run|start|sync|head|latest|db migrate|db:migrate|db push|"
        + "db upgrade|schema apply|database update|migration run|migration:run|migrate up|"
        + "migrate deploy|migrate run|migrate apply|migrate latest|migrate head|migrate to-latest"
    ),
    (
      "To go back to the version before the last migration: remodel revert.",
      "down|downgrade|rollback|undo|back|db rollback|db:rollback|db downgrade|migrate down|"
        + "migrate undo|migrate revert|migrate rollback|migration revert|migration:revert"
    ),
    (
      "You write no migrations: add a version with remodel model new, edit it, and read the SQL of "
        + "remodel plan.",
      "new|generate|create|revision|makemigrations|make|add|migration|migrations|g|migrate dev|"
        + "migrate new|migrate create|migrate add|migrate make|migrate generate|migrate diff|"
        + "migrations add|migration create|migration generate|db generate|generate migration|"
        + "make:migration|db:migrate:new"
    ),
    (
      "For two versions: remodel model diff 1 2. For a database and its version: remodel verify. For "
        + "the SQL to come: remodel plan.",
      "diff|compare|drift|schema diff|db diff"
    ),
    (
      "To take over a database that has tables: remodel adopt with a model of them, or remodel adopt "
        + "--write without one.",
      "pull|introspect|inspect|dump|import|inspectdb|baseline|stamp|resolve|fake|db pull|"
        + "db introspect|db:schema:dump|schema inspect|schema dump|migrate resolve|migrate baseline"
    ),
    (
      "No verb drops tables that are in use. Begin with another database, with --scratch, or drop "
        + "the schema with psql; remodel cleanup drops what migrations retain.",
      "reset|clean|drop|fresh|refresh|wipe|destroy|prune|purge|gc|db reset|db:reset|db drop|db:drop|"
        + "migrate reset|migrate fresh|migrate refresh|schema clean"
    ),
    (
      "For the version of a database: remodel status. For the versions of a model: remodel model list.",
      "info|current|state|show|showmigrations|heads|list|ls|version|db version|db:version|"
        + "db:migrate:status|migrate status|migrate info|migrate list|migration list|migration:show"
    ),
    ("For the migrations of a database: remodel history.", "log|audit|migrate history"),
    (
      "remodel plan shows what remodel migrate would run, remodel plan --format sql writes it as a script.",
      "preview|explain|dry-run|dryrun|sql|sqlmigrate|script|estimate|simulate|migrate plan|"
        + "migrate preview|migrate sql|migrate script|plan show"
    ),
    (
      "To check the files of a model: remodel model validate. For the hazards of a migration: "
        + "remodel plan.",
      "lint|fmt|format|checksum|migrate lint|migrate validate|migrate hash|schema validate|"
        + "schema lint"
    ),
    ("To try a migration on a throwaway server: remodel plan --rehearse.", "test|migrate test"),
    (
      "To wait for the current version: remodel check --until-current 60s.",
      "wait|ready|health|ping"
    ),
    (
      "To do what an online migration has left: remodel finish. To drop what it retains: remodel "
        + "cleanup.",
      "complete|contract|expand|migrate complete"
    ),
    (
      "A failed migration needs no repair: remodel status names what is unfinished, and remodel "
        + "migrate continues it.",
      "repair|unlock|force-unlock|force|fix|migrate force|migrate repair"
    ),
    ("To begin with a model: remodel init.", "setup|install|configure|bootstrap|quickstart"),
    ("Rows are not part of a model: load them with psql.", "seed|load|db seed|db:seed|fixtures"),
    (
      "For the SQL of a model: remodel plan. For the JSON Schema of its files: remodel model schema.",
      "schema|ddl"
    ),
    ("To draw the entities: remodel model diagram.", "erd|draw|graph|docs"),
  ]

  // MARK: - Options

  private static func advice(forOption option: String) -> String? {
    let option = String(option.prefix { $0 != "=" })
    return options.first { _, names in
      names.split(separator: "|").contains { $0 == option }
    }?.advice
  }

  /// What to do, and the options of others for it.
  static let options: [(advice: String, names: String)] = [
    (
      "remodel plan shows what remodel migrate would run, and runs nothing.",
      "--dry-run|--dryrun|--dry|--preview|--pretend|--plan-only|--simulate|--explain|-n"
    ),
    (
      "Leave it out: no verb asks a question. To refuse what a plan may do, use --deny.",
      "--yes|-y|--assume-yes|--auto-approve|--force|-f|--no-input|--noinput|--no-interaction|"
        + "--non-interactive|--accept-data-loss|--skip-confirmation|--confirm|--approve"
    ),
    (
      "The database is --database postgresql://USER@HOST/DATABASE, or the variable DATABASE_URL.",
      "--url|-u|--db|--dsn|--db-url|--database-url|--connection|--connection-string|--conn|-d|"
        + "--dbname|--postgres-url|--uri|--source"
    ),
    (
      "Put it into the URL of --database, or into libpq's variables PGHOST, PGPORT, PGUSER and "
        + "PGPASSWORD.",
      "--host|--hostname|--port|-p|--user|--username|-U|--password|-W|--pass"
    ),
    (
      "Name the version with --to.",
      "--target|--revision|--target-version|--to-version|--version-to|--step|--steps|--count"
    ),
    (
      "The models are --models PATH.",
      "--dir|--path|--locations|--location|--migrations|--migrations-dir|--migrations-path|--model|"
        + "--schema-file|--folder|--directory"
    ),
    (
      "Settings are options or variables, such as DATABASE_URL and REMODEL_MODELS; no file has them.",
      "--env|--environment|-e|--config|-c|--config-file|--settings|--project"
    ),
    (
      "Use --log-level debug, or --debug-sql for every statement.",
      "--verbose|-v|-vv|--debug|--trace"
    ),
    ("Use --log-level warning, or error.", "--quiet|-q|--silent|-s"),
    ("Use --format json.", "--json|-j|--as-json"),
    ("Use --format sql with remodel plan.", "--sql|--sql-only|--as-sql|--script"),
    (
      "To take over tables that are there already: remodel adopt.",
      "--fake|--fake-initial|--baseline|--baseline-on-migrate|--from-existing|--stamp"
    ),
    (
      "Use --strategy online.",
      "--concurrently|--online|--no-lock|--lock-free|--no-downtime|--zero-downtime"
    ),
    ("Use --lock-timeout, --lock-retry-for or --max-block.", "--timeout|--statement-timeout"),
    ("Use --each-schema or --targets.", "--tenants|--all-schemas|--all|--tenant"),
    ("Name it without an option.", "--name|-m|--message|--title"),
    ("To revert: remodel revert.", "--down|--rollback|--undo|--revert"),
    (
      "You write no migrations: a new version is remodel model new, its SQL remodel plan.",
      "--autogenerate|--create-only|--generate|--create"
    ),
  ]
}
