/// The errors that `@Proxied` and `@Default` report.
enum ProxyError: ExpansionError {
  case notAProtocol
  case notAClassProtocol(String, inherited: String?)
  case actorProtocol
  case hidesInheritance(String, [String])
  case isolatesDelegate(String, String)
  case notAProtocolType
  case hiddenAssociatedType(String)
  case isStatic(String)
  case isPrivate(String)
  case isInitializer
  case mentionsSelf(String)
  case isNonisolated(String)
  case isReserved(String)
  case operatorOperands(String)
  case operatorDefault(String)
  case defaultElsewhere
  case defaultLacksValue(String)
  case defaultHasValue(String)

  var message: String {
    switch self {
    case .notAProtocol: "@Proxied can only be applied to a protocol"
    case .notAClassProtocol(let name, nil):
      "a proxy holds its target weakly, so '\(name)' must be a class protocol: "
        + "inherit from AnyObject"
    case .notAClassProtocol(let name, let inherited?):
      "a proxy holds its target weakly, so '\(name)' must be a class protocol: "
        + "inherit from AnyObject, "
        + "or if '\(inherited)' is proxied too, write @Proxied(refining: \(inherited).self)"
    case .actorProtocol: "a proxy is a class, and cannot conform to an actor protocol"
    case .hidesInheritance(let name, let inherited):
      "'\(name)' inherits from \(inherited.map { "'\($0)'" }.joined(separator: " and ")), "
        + "which the macro cannot see: inherit from "
        + (inherited.count == 1 ? "it" : "them") + " here too"
    case .isolatesDelegate(let name, let inherited):
      "the methods of '\(inherited)' are nonisolated, so '\(name)' must be nonisolated too"
    case .notAProtocolType:
      "'refining' takes the types of other proxied protocols: ScrollDelegate.self"
    case .hiddenAssociatedType(let name):
      "'\(name)' must be a primary associated type, "
        + "because the target is an 'any' type that specifies it"
    case .isStatic(let name):
      "a proxy forwards to one object, but the static requirement '\(name)' belongs to its type"
    case .isPrivate(let name):
      "'\(name)' is extended at file scope, where a nested private protocol is not visible"
    case .isInitializer: "a proxy forwards to an existing object, and cannot forward 'init'"
    case .mentionsSelf(let name):
      "'\(name)' takes or returns 'Self', but the target of a proxy has another type than the proxy"
    case .isNonisolated(let name):
      "'\(name)' is nonisolated, but the proxy is isolated like its protocol: isolate it too"
    case .isReserved(let name): "every proxy has a member '\(name)': choose another name"
    case .operatorOperands(let name):
      "a proxy can forward the operator '\(name)' only if exactly one operand is 'Self'"
    case .operatorDefault(let name):
      "a macro cannot define the default of the operator '\(name)': write it yourself"
    case .defaultElsewhere: "@Default can only be applied to a requirement of a @Proxied protocol"
    case .defaultLacksValue(let name): "the default of '\(name)' needs a value: @Default(value)"
    case .defaultHasValue(let name):
      "'\(name)' returns nothing, so its default has no value: @Default"
    }
  }
}
