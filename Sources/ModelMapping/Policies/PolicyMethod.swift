public import ObjectModel

/// A method of a policy that expressions call as `FUNCTION($entityPolicy, "method:", …)`.
public struct PolicyMethod: Sendable {
  package let kind: Kind

  package enum Kind: Sendable {
    /// The text of an expression, in which `$1` is the first argument.
    case expression(String)
    case code(Body)
  }

  /// A method in code: the value for the arguments.
  public typealias Body = @Sendable (_ arguments: [AttributeValue?]) throws -> AttributeValue?

  /// Creates a method that is an expression, which the server computes.
  ///
  /// It costs no more than the same expression in the mapping, and can be called wherever an
  /// expression can stand.
  ///
  /// - Parameter text: The expression; `$1` stands for the first argument, `$2` for the second.
  /// - Returns: The method.
  public static func expression(_ text: String) -> PolicyMethod {
    PolicyMethod(kind: .expression(text))
  }

  /// Creates a method in code, which is called for each row.
  ///
  /// The value of an attribute has to be the call and nothing else. Rows pass through the code in
  /// batches, so they cannot be copied while others write. The code must return the same for the same
  /// arguments; when that changes, change the ``EntityMigrationPolicy/version`` of the policy.
  ///
  /// - Parameter body: The code. An argument of a binary or another type without a counterpart is the
  ///   text that the server prints; so is a value that it returns for such an attribute.
  /// - Returns: The method.
  public static func code(_ body: @escaping Body) -> PolicyMethod {
    PolicyMethod(kind: .code(body))
  }
}

/// The call of a method in code, whose value an attribute gets.
package struct PolicyCall: Hashable, Sendable {
  /// The attribute of the destination.
  package let attribute: String
  /// The name of the method.
  package let selector: String
  /// The arguments.
  package let arguments: [Expression]

  /// Returns the name of an argument among the values of a row that the policy gets.
  package func name(ofArgument index: Int) -> String { "\(attribute) \(selector)\(index + 1)" }

  /// The call as the mapping has it.
  package var description: String {
    "\(attribute) = \(Expression.policyCall(selector: selector, arguments: arguments))"
  }
}

extension Expression {
  /// Returns the expression of a method with arguments in place of its variables.
  ///
  /// - Throws: The fault of the method's text.
  static func call(
    _ text: String,
    with arguments: [Expression]
  ) throws(ExpressionError) -> Expression {
    func argument(_ variable: String) -> Expression? {
      guard let number = Int(variable), arguments.indices.contains(number - 1) else { return nil }
      return arguments[number - 1]
    }
    return try Expression(parsing: text).replacing { part in
      switch part {
      case .variable(let name): return argument(name)
      case .keyPath(let path):
        guard case .variable(let name) = path.base else { return nil }
        return argument(name).map { .keyPath(path.continuing($0)) }
      default: return nil  // Of the other parts, the parts are replaced.
      }
    }
  }
}

extension EntityMapping {
  /// Returns the mapping with the methods that a policy registers in place of their calls.
  ///
  /// Calls of other methods remain.
  ///
  /// - Parameter methods: The methods by their names.
  /// - Returns: The mapping.
  /// - Throws: The fault of a method's expression.
  package func calling(
    _ methods: [String: PolicyMethod]
  ) throws(ExpressionError) -> EntityMapping {
    guard !methods.isEmpty else { return self }
    var fault: ExpressionError?
    func replaced(_ part: Expression) -> Expression? {
      guard case .policyCall(let selector, let arguments) = part,
        case .expression(let text) = methods[selector]?.kind
      else { return nil }
      do {
        return try Expression.call(text, with: arguments.map { $0.replacing(replaced) })
      } catch {
        fault = fault ?? error
        return nil
      }
    }
    var mapping = replacing { part, _ in replaced(part) }
    if let fault { throw fault }
    let calls = mapping.attributeMappings.compactMap { property -> PolicyCall? in
      guard case .expression(.policyCall(let selector, let arguments)) = property.valueExpression,
        case .code = methods[selector]?.kind
      else { return nil }
      return PolicyCall(attribute: property.name, selector: selector, arguments: arguments)
    }
    guard !calls.isEmpty else { return mapping }
    var creation = mapping.instanceCreation ?? InstanceCreation(setting: [], from: [])
    creation.attributes.formUnion(calls.map(\.attribute))
    creation.calls = calls
    mapping.instanceCreation = creation
    return mapping
  }

  /// Returns whether the value of an attribute is a method of the policy in code.
  package func callsCode(for attribute: String) -> Bool {
    instanceCreation?.calls.contains { $0.attribute == attribute } ?? false
  }
}

extension DestinationInstance {
  /// Sets the attribute of a call to the value that the method returns.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - source: The row whose values are the arguments.
  ///   - methods: The methods of the policy.
  /// - Throws: What the method throws, or that its value is not one of the attribute.
  package mutating func set(
    _ call: PolicyCall,
    of source: SourceInstance,
    by methods: [String: PolicyMethod]
  ) throws {
    guard case .code(let body) = methods[call.selector]?.kind else {
      throw InstanceError(
        entityName: layout.destination.entityName,
        key: call.attribute,
        fact: .withoutMethod(call.selector)
      )
    }
    let arguments = try call.arguments.indices.map { index in
      try source.argument(forKey: call.name(ofArgument: index))
    }
    let value = try body(arguments)
    if case .text(let text) = value {
      try setText(text, forKey: call.attribute)
    } else {
      try setValue(value, forKey: call.attribute)
    }
  }
}

extension SourceInstance {
  /// Returns a value in the type of its attribute, or as the server prints it if there is no such type.
  fileprivate func argument(forKey key: String) throws(InstanceError) -> AttributeValue? {
    let type = layout.source.properties[try layout.source.position(of: key)].type
    return try text(forKey: key).map { AttributeValue(serverText: $0, of: type) ?? .text($0) }
  }
}
