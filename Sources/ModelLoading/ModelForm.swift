internal import Diagnostics
package import ObjectModel

/// A form in which models are kept in files.
public enum ModelForm: String, Hashable, Sendable, CaseIterable {
  /// Xcode's XML.
  case xcode
  /// Our YAML.
  case yaml

  /// Returns the file of a model: the same text for the same model.
  ///
  /// - Parameters:
  ///   - model: A model without errors.
  ///   - name: The name of the model in reports.
  ///   - bases: The versions that it was made from, which Xcode's form has no place for.
  /// - Returns: The text.
  /// - Throws: ``ModelConversionError`` if the form cannot express a part of the model.
  package func text(
    of model: ManagedObjectModel,
    named name: String,
    madeFrom bases: [VersionBase] = []
  ) throws(ModelConversionError) -> String {
    let text =
      switch self {
      case .xcode: XcodeModelWriter.text(of: model)
      case .yaml: YAMLModelWriter.text(of: model, madeFrom: bases)
      }
    // Whatever may be odd about a model, nothing is written that does not read back the same.
    let copy: ManagedObjectModel
    do {
      copy = try read(text, path: name)
    } catch {
      throw ModelConversionError(.noPlace(version: name, form: self, detail(error)))
    }
    guard copy == model else {
      throw ModelConversionError(.noPlace(version: name, form: self, model.difference(to: copy)))
    }
    return text
  }

  private func read(_ text: String, path: String) throws(ModelLoadingError) -> ManagedObjectModel {
    switch self {
    case .xcode: try ModelLoader.load(xml: Array(text.utf8), path: path).model
    case .yaml: try ModelLoader.load(yaml: Array(text.utf8), path: path).model
    }
  }

  private func detail(_ error: ModelLoadingError) -> String? {
    let first = error.diagnostics.first { $0.severity == .error }
    return first.map { $0.message.prefix(1).uppercased() + $0.message.dropFirst() + "." }
  }
}

extension ManagedObjectModel {
  fileprivate func difference(to copy: ManagedObjectModel) -> String? {
    for (entity, other) in zip(entities, copy.entities) where entity != other {
      let attribute = zip(entity.attributes, other.attributes).first { $0 != $1 }?.0.name
      let relationship = zip(entity.relationships, other.relationships).first { $0 != $1 }?.0.name
      let property = (attribute ?? relationship).map { " and its property \"\($0)\"" } ?? ""
      return "It is about entity \"\(entity.name)\"\(property)."
    }
    for (composite, other) in zip(composites, copy.composites) where composite != other {
      return "It is about composite \"\(composite.name)\"."
    }
    return nil
  }
}
