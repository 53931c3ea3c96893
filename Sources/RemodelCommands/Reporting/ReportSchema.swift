/// The JSON Schemas of reports.
enum ReportSchema {
  /// The schemas by the words of their verbs, with dashes between.
  private static let files: KeyValuePairs<String, [UInt8]> = [
    "adopt": PackageResources.adopt_schema_json,
    "check": PackageResources.check_schema_json,
    "cleanup": PackageResources.cleanup_schema_json,
    "error": PackageResources.error_schema_json,
    "finish": PackageResources.finish_schema_json,
    "history": PackageResources.history_schema_json,
    "init": PackageResources.init_schema_json,
    "interface": PackageResources.interface_schema_json,
    "job-cancel": PackageResources.job_cancel_schema_json,
    "job-list": PackageResources.job_list_schema_json,
    "job-pause": PackageResources.job_pause_schema_json,
    "job-resume": PackageResources.job_resume_schema_json,
    "job-show": PackageResources.job_show_schema_json,
    "mapping-convert": PackageResources.mapping_convert_schema_json,
    "mapping-infer": PackageResources.mapping_infer_schema_json,
    "mapping-new": PackageResources.mapping_new_schema_json,
    "mapping-preview": PackageResources.mapping_preview_schema_json,
    "mapping-show": PackageResources.mapping_show_schema_json,
    "mapping-validate": PackageResources.mapping_validate_schema_json,
    "mark-development": PackageResources.mark_development_schema_json,
    "migrate": PackageResources.migrate_schema_json,
    "model-convert": PackageResources.model_convert_schema_json,
    "model-diagram": PackageResources.model_diagram_schema_json,
    "model-diff": PackageResources.model_diff_schema_json,
    "model-export": PackageResources.model_export_schema_json,
    "model-hash": PackageResources.model_hash_schema_json,
    "model-list": PackageResources.model_list_schema_json,
    "model-merge": PackageResources.model_merge_schema_json,
    "model-new": PackageResources.model_new_schema_json,
    "model-show": PackageResources.model_show_schema_json,
    "model-validate": PackageResources.model_validate_schema_json,
    "plan": PackageResources.plan_schema_json,
    "plan-target": PackageResources.plan_target_schema_json,
    "retire": PackageResources.retire_schema_json,
    "status": PackageResources.status_schema_json,
    "targets": PackageResources.targets_schema_json,
    "verify": PackageResources.verify_schema_json,
  ]

  /// The words of the verbs, with dashes between.
  static var names: [String] { files.map(\.key) }

  /// The texts of the schemas, by the words of their verbs.
  static var texts: [(key: String, text: String)] {
    files.map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }
  }

  /// Returns the schema of a verb's report.
  static func named(_ name: String) -> String? { texts.first { $0.key == name }?.text }

  /// One schema of all reports: each has an identifier, so that its references stay its own.
  static var all: String {
    let definitions = texts.map { name, text in
      let members = text.drop { $0 != "{" }.dropFirst()
      return "\"\(name)\": {\n\"$id\": \"\(identifier(of: name))\",\(members)"
    }
    let references = texts.map { "{ \"$ref\": \"\(identifier(of: $0.key))\" }" }
    return """
      {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Remodel reports",
      "anyOf": [
      \(references.joined(separator: ",\n"))
      ],
      "$defs": {
      \(definitions.joined(separator: ",\n"))
      }
      }

      """
  }

  private static func identifier(of name: String) -> String { "urn:remodel:report:\(name)" }
}
