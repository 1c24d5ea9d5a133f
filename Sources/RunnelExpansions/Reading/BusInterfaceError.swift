/// The errors that `@BusInterface` and `@BusMember` report.
enum BusInterfaceError: ExpansionError {
  case notAProtocol
  case nameIsNoLiteral
  case invalidInterface(String)
  case invalidMember(String)
  case actorProtocol
  case inherits(String)
  case associatedType(String)
  case isStatic(String)
  case isMutating(String)
  case isInitializer
  case isSubscript
  case isOperator(String)
  case isConditional
  case isGeneric(String)
  case isReserved(String)
  case sameName(String)
  case untypedError
  case asyncWithoutActor(String)
  case actorOfMember(String, String)
  case noType(String, String)
  case optional
  case closure
  case tuple
  case emptyValue
  case key
  case copied
  case variadic(String)
  case settable(String, String)
  case propertyEffects(String)
  case signalType(String)
  case propertyType(String)
  case answerFailure(String)
  case memberElsewhere
  case changesOfAnother(String)

  var message: String {
    switch self {
    case .notAProtocol: "@BusInterface can only be applied to a protocol"
    case .nameIsNoLiteral: "a macro reads the name from the source: write a string literal"
    case .invalidInterface(let name):
      "'\(name)' is no name of an interface: write for example \"org.example.Player\""
    case .invalidMember(let name):
      "'\(name)' is no name of a member on the bus: use ASCII letters, digits and _"
    case .actorProtocol:
      "an object on the bus belongs to a loop, and cannot be an actor: write '@MainActor' instead"
    case .inherits(let name):
      "an interface on the bus inherits nothing: write the members of '\(name)' here, or export an object "
        + "with both interfaces"
    case .associatedType(let name):
      "an interface has fixed types: write the type instead of '\(name)', or 'Variant'"
    case .isStatic(let name):
      "other programs call an object, but the static requirement '\(name)' belongs to its type"
    case .isMutating(let name): "other programs call an object, so '\(name)' cannot be mutating"
    case .isInitializer: "an object on the bus exists already, so an interface has no 'init'"
    case .isSubscript: "D-Bus has no subscripts: write a method"
    case .isOperator(let name): "D-Bus has no operators: write a method instead of '\(name)'"
    case .isConditional: "an interface has the same members everywhere: remove '#if'"
    case .isGeneric(let name):
      "'\(name)' is generic, but an interface has fixed types: write 'Variant' for a value of any type"
    case .isReserved(let name): "every proxy has a member '\(name)': choose another name"
    case .sameName(let name):
      "the interface has a member \(name) already, and D-Bus does not distinguish members by their "
        + "types: write another name in @BusMember(\"…\")"
    case .untypedError: "an error on the bus is a BusError: write 'throws(BusError)'"
    case .asyncWithoutActor(let name):
      "'\(name)' is async, but the protocol belongs to no actor: write '@MainActor' before the "
        + "protocol, or return a 'Single'"
    case .actorOfMember(let name, let actor):
      "'\(name)' belongs to another actor than the protocol: write '\(actor)' before the protocol"
    case .noType(let type, let other): "D-Bus has no type for '\(type)': write '\(other)'"
    case .optional:
      "D-Bus has no optional values: choose a value that stands for nothing, or write an array"
    case .closure: "D-Bus cannot carry a closure: return the value, or declare a signal"
    case .tuple: "a tuple in a value has no type on the bus: write a type that is a BusStructure"
    case .emptyValue: "'Void' has no value on the bus: remove it"
    case .key: "a key on the bus is a number, a text or a path: choose another key"
    case .copied: "a value on the bus is a copy: write the type alone"
    case .variadic(let type): "D-Bus has no variadic arguments: write '[\(type)]'"
    case .settable(let name, let type):
      "a property that other programs write announces its changes: "
        + "write 'var \(name): Property<\(type)> { get }'"
    case .propertyEffects(let name):
      "'\(name)' is read at once on the bus: write a method instead of an async or throwing property"
    case .signalType(let type):
      "a signal is a stream that cannot fail: write 'EventStream<\(type), Never>'"
    case .propertyType(let type):
      "a property on the bus has a value at any time: write 'ReadOnlyProperty<\(type)>'"
    case .answerFailure(let type): "an error on the bus is a BusError: write '\(type)'"
    case .memberElsewhere:
      "@BusMember can only be applied to a requirement of a @BusInterface protocol"
    case .changesOfAnother(let name):
      "'\(name)' announces no changes: only a 'Property' or a 'ReadOnlyProperty' does"
    }
  }
}
