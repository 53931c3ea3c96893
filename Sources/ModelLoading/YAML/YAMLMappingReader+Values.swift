import Diagnostics
import ModelMapping

/// Expressions, conditions and SQL, whose faults have locations in the file.
extension YAMLMappingReader {
  /// Returns an expression; a number, `true`, `false` or `null` stands for itself.
  mutating func value(
    _ node: YAMLNode,
    what: String,
    of element: MappingElement
  ) -> Expression? {
    if offsets[element] == nil { offsets[element] = node.offset }
    if case .scalar(let text, isPlain: true) = node.content {
      if let constant = Self.constant(text) { return .constant(constant) }
      if text.isEmpty {
        error(
          "\(what) has no value",
          hint: "Write an expression, or null for no value.",
          at: node.offset
        )
        return nil
      }
    }
    guard case .scalar(let text, _) = node.content else {
      error(
        "\(what) has to be an expression",
        hint: "Write an expression, or { hole: \"what is missing\" }.",
        at: node.offset
      )
      return nil
    }
    let places = ScalarOffsets(of: text, at: node.offset, in: source)
    do {
      let expression = try Expression(parsing: text)
      texts[element] = places
      return expression
    } catch {
      complain(error, what: what, at: node.offset, places)
      return nil
    }
  }

  private static func constant(_ text: String) -> Expression.Constant? {
    switch text {
    case "true": .boolean(true)
    case "false": .boolean(false)
    case "null", "~": .null
    default: nil  // Texts are no closed set; numbers are expressions as they are.
    }
  }

  mutating func predicate(_ node: YAMLNode?, of element: MappingElement) -> Predicate? {
    guard let node, !node.isNull else { return nil }
    offsets[element] = node.offset
    if takeHole(node, "where", of: element) { return nil }
    guard let text = text(node, what: "where") else { return nil }
    let places = ScalarOffsets(of: text, at: node.offset, in: source)
    do {
      let predicate = try Predicate(parsing: text)
      texts[element] = places
      return predicate
    } catch {
      complain(error, what: "where", at: node.offset, places)
      return nil
    }
  }

  mutating func template(
    _ node: YAMLNode,
    what: String,
    of element: MappingElement
  ) -> SQLTemplate? {
    offsets[element] = node.offset
    guard let text = text(node, what: what) else { return nil }
    let places = ScalarOffsets(of: text, at: node.offset, in: source)
    do {
      let template = try SQLTemplate(parsing: text)
      texts[element] = places
      return template
    } catch {
      self.error(
        "placeholder \"\(error.placeholder)\" in \(what) stands for nothing",
        hint: "There are ${source.Entity}, ${source.Entity.property}, ${destination.Entity}, "
          + "${destination.Entity.property} and ${chunk}.",
        at: places.offset(ofByte: error.column - 1) ?? node.offset
      )
      return nil
    }
  }

  private mutating func complain(
    _ fault: ExpressionError,
    what: String,
    at offset: Int,
    _ places: ScalarOffsets
  ) {
    let words = fault.diagnostic
    error(
      "\(what): \(fault.message)",
      detail: words.detail,
      hint: words.hint,
      at: places.offset(ofByte: fault.column - 1) ?? offset
    )
  }

  // MARK: - Holes

  /// Adds a hole if a value is one: `{ hole: "what is missing" }`.
  mutating func takeHole(_ node: YAMLNode, _ what: String, of element: MappingElement) -> Bool {
    guard case .mapping = node.content else { return false }
    let count = diagnostics.count
    let fields = fields(of: node, keys: YAMLKeys.hole, in: what)
    if let hole = fields["hole"] {
      addHole(hole, to: element)
    } else if diagnostics.count == count {
      error(
        "\(what) has to be an expression",
        hint: "Write an expression, or { hole: \"what is missing\" }.",
        at: node.offset
      )
    }
    return true
  }

  mutating func addHole(_ node: YAMLNode, to element: MappingElement) {
    if offsets[element] == nil { offsets[element] = node.offset }
    if let reason = text(node, what: "hole") {
      holes.append(MappingHole(element, reason: reason))
    }
  }
}
