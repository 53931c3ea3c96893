import Diagnostics
import ObjectModel

enum YAMLTree {
  static func parse(_ source: SourceText) throws(ModelLoadingError) -> Int {
    throw ModelLoadingError(Diagnostic("YAML is not read yet"))
  }
}
enum YAMLModelReader {
  static func read(_ root: Int, of source: SourceText) -> ModelDraft {
    ModelDraft(model: .init(entities: []), offsets: [:], diagnostics: [])
  }
}
