internal import SQLSyntax

/// A storage parameter of a relation, or an option of a column, as the catalog has it.
///
/// The server keeps parameters of its own beside those that people set. Only documented ones are
/// people's: no others are copied, compared or planned.
struct StorageParameterSetting: Decodable {
  let name: String
  let value: String?
  /// The parameter as the server writes it in a definition.
  let deparsed: String

  /// Returns the JSON array of the parameters in an array of the catalog.
  static func json(_ options: SQLFragment) -> SQLFragment {
    """
    (SELECT json_agg(json_build_object('name', option_name, 'value', option_value, \
    'deparsed', quote_ident(option_name) || '=' || CASE WHEN quote_ident(option_value) = option_value \
    THEN option_value ELSE coalesce(quote_literal(option_value), '') END)) FROM pg_options_to_table(\(options)))
    """
  }

  /// The parameter as a list of parameters has it.
  var setting: SQLFragment {
    let name = SQLIdentifier(name)
    return value.map { "\(name) = \(text: $0)" } ?? "\(name)"
  }

  /// The parameter of the table that holds large values.
  var toastSetting: SQLFragment { "toast.\(setting)" }
}

extension StorageParameterSetting {
  /// The kinds of objects with parameters.
  enum Holder: Hashable {
    case table, toastTable, materializedView, view, column
    /// An index, by its access method.
    case index(method: String)
  }
}

extension StorageParameterSetting.Holder {
  /// The parameters that the manual of some version of the server lists; `nil` for an access method
  /// of an extension, whose parameters are all its own.
  var documentedParameters: Set<String>? {
    switch self {
    case .table, .materializedView: Self.vacuumParameters.union(Self.tableParameters)
    case .toastTable: Self.vacuumParameters
    case .view: ["check_option", "security_barrier", "security_invoker"]
    case .column: ["n_distinct", "n_distinct_inherited"]
    case .index("btree"): ["deduplicate_items", "fillfactor"]
    case .index("hash"), .index("spgist"): ["fillfactor"]
    case .index("gist"): ["buffering", "fillfactor"]
    case .index("gin"): ["fastupdate", "gin_pending_list_limit"]
    case .index("brin"): ["autosummarize", "pages_per_range"]
    case .index: nil
    }
  }

  /// Returns whether people set a parameter, and not the server.
  func documents(_ name: String) -> Bool {
    documentedParameters?.contains(name) ?? !isInternal(name)
  }

  /// Returns whether a parameter is internal to the server.
  private func isInternal(_ name: String) -> Bool { name.hasPrefix("pg_") }

  /// Returns whether a parameter is neither documented nor one of the server's own.
  func recognizes(_ name: String) -> Bool { documents(name) || isInternal(name) }

  private static let tableParameters: Set<String> = [
    "autovacuum_analyze_scale_factor", "autovacuum_analyze_threshold", "fillfactor",
    "parallel_workers", "toast_tuple_target", "user_catalog_table",
  ]

  private static let vacuumParameters: Set<String> = [
    "autovacuum_enabled", "autovacuum_freeze_max_age", "autovacuum_freeze_min_age",
    "autovacuum_freeze_table_age", "autovacuum_multixact_freeze_max_age",
    "autovacuum_multixact_freeze_min_age", "autovacuum_multixact_freeze_table_age",
    "autovacuum_vacuum_cost_delay", "autovacuum_vacuum_cost_limit",
    "autovacuum_vacuum_insert_scale_factor", "autovacuum_vacuum_insert_threshold",
    "autovacuum_vacuum_max_threshold", "autovacuum_vacuum_scale_factor",
    "autovacuum_vacuum_threshold", "log_autovacuum_min_duration", "vacuum_index_cleanup",
    "vacuum_max_eager_freeze_failure_rate", "vacuum_truncate",
  ]
}

extension [StorageParameterSetting] {
  /// Returns the parameters that people set.
  func documented(for holder: StorageParameterSetting.Holder) -> [StorageParameterSetting] {
    filter { holder.documents($0.name) }
  }

  /// Returns the names of the parameters that are neither documented nor the server's own.
  func unrecognized(for holder: StorageParameterSetting.Holder) -> [String] {
    filter { !holder.recognizes($0.name) }.map(\.name)
  }

  /// The clause for the parameters in the server's definition of an index.
  var definitionClause: String {
    guard !isEmpty else { return "" }
    return " WITH (\(map(\.deparsed).joined(separator: ", ")))"
  }
}
