/// A table in which another tool records its migrations; it looks like one of the application's.
enum MigrationToolRecord: String, CaseIterable {
  case alembic = "alembic_version"
  case django = "django_migrations"
  case flyway = "flyway_schema_history"
  case prisma = "_prisma_migrations"

  /// Returns which tool's table it is, by its name and the columns that the tool gives it.
  init?(_ table: CatalogTable) {
    self.init(rawValue: table.name)
    guard columns.allSatisfy({ table.column($0) != nil }) else { return nil }
  }

  /// The tool's name.
  var tool: String {
    switch self {
    case .alembic: "Alembic"
    case .django: "Django"
    case .flyway: "Flyway"
    case .prisma: "Prisma Migrate"
    }
  }

  private var columns: [String] {
    switch self {
    case .alembic: ["version_num"]
    case .django: ["app", "name", "applied"]
    case .flyway: ["installed_rank", "version", "script", "checksum", "success"]
    case .prisma: ["checksum", "migration_name", "started_at", "finished_at"]
    }
  }
}
