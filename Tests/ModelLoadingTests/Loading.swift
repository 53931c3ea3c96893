import Diagnostics
import ModelLoading
import Testing

/// Returns the complaints about a file, each as it is printed.
func complaints(xml: String) -> [String] {
  complaints { () throws(ModelLoadingError) in
    try ModelLoader.load(xml: Array(xml.utf8), path: "contents")
  }
}

/// Returns the complaints about a file, each as it is printed.
func complaints(yaml: String) -> [String] {
  complaints { () throws(ModelLoadingError) in
    try ModelLoader.load(yaml: Array(yaml.utf8), path: "1.yaml")
  }
}

/// Returns the complaints that loading ends with, warnings included.
func complaints(_ load: () throws(ModelLoadingError) -> LoadedModel) -> [String] {
  do {
    return try load().warnings.map(\.description)
  } catch {
    return error.diagnostics.map(\.description)
  }
}

/// Returns an entity of Xcode's in a model by itself; the entity starts in line 2, column 1.
func model(_ entity: String) -> String {
  "<model>\n\(entity)\n</model>"
}

/// A file with one fault, and its report.
struct Fault: CustomTestStringConvertible {
  let text: String
  let complaint: String

  init(_ text: String, _ lines: String...) {
    self.text = text
    complaint = lines.joined(separator: "\n")
  }

  var testDescription: String { complaint }
}
