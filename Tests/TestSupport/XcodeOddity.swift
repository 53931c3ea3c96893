/// Something odd that Xcode accepts in a model, with how it is read.
package struct XcodeOddity: Sendable, CustomStringConvertible {
  /// The oddity, in words.
  package let description: String
  /// The file `contents`.
  package let xml: String
  /// What happens to it.
  package let outcome: Outcome

  /// What happens to an odd model.
  package enum Outcome: Sendable {
    /// It opens, with warnings that have these texts, in the order of the file.
    case opens([String])
    /// It is refused by one error that has this text.
    case refused(String)
  }

  /// Creates an oddity of the contents of a model.
  init(_ description: String, _ xml: String, opensWith warnings: String...) {
    self.description = description
    self.xml = Self.model(xml)
    outcome = .opens(warnings)
  }

  /// Creates an oddity of the contents of a model that is refused.
  init(_ description: String, _ xml: String, refusedWith error: String) {
    self.description = description
    self.xml = Self.model(xml)
    outcome = .refused(error)
  }

  /// A Boolean value that indicates whether it opens.
  package var isAccepted: Bool {
    switch outcome {
    case .opens: true
    case .refused: false
    }
  }

  private static func model(_ xml: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    \(xml)
    </model>

    """
  }

  /// An entity "A" with a text "x", and something else.
  package static func withA(_ content: String) -> String {
    """
    <entity name="A">
    <attribute name="x" optional="YES" attributeType="String"/>
    \(content)
    </entity>
    """
  }

  /// The whole table.
  package static let all =
    relationships + attributes + entities + indexes + configurations + fetches + files
}
