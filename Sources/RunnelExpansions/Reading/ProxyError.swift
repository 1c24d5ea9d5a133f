import SwiftDiagnostics
import SwiftSyntax

/// What `@Proxied` and `@Default` refuse.
enum ProxyError: DiagnosticMessage {
  case notAProtocol
  case notAClassProtocol(String, inherited: String?)
  case actorProtocol
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
    case .notAProtocol: "@Proxied makes proxies of protocols, and this is none"
    case .notAClassProtocol(let name, nil):
      "a proxy holds its target weakly, so '\(name)' must be for classes: inherit from AnyObject"
    case .notAClassProtocol(let name, let inherited?):
      "a proxy holds its target weakly, so '\(name)' must be for classes: inherit from AnyObject, "
        + "or if '\(inherited)' is proxied too, write @Proxied(refining: \(inherited).self)"
    case .actorProtocol: "a proxy is a class, and cannot conform to a protocol for actors"
    case .notAProtocolType: "'refining' takes protocols that are proxied too: ScrollDelegate.self"
    case .hiddenAssociatedType(let name):
      "the proxy's target is 'any' with a given '\(name)', which must be a primary associated type"
    case .isStatic(let name):
      "a proxy stands for one object, and the static requirement '\(name)' belongs to its type"
    case .isPrivate(let name):
      "'\(name)' is extended in the file, from where no nested private protocol is seen"
    case .isInitializer: "a proxy stands for an object that exists, and cannot forward 'init'"
    case .mentionsSelf(let name):
      "'\(name)' takes or returns 'Self', and the target of a proxy is of another type than the proxy"
    case .isNonisolated(let name):
      "'\(name)' may be called anywhere, and the proxy lives where its protocol does: isolate it too"
    case .isReserved(let name): "every proxy has a '\(name)' of its own: choose another name"
    case .operatorOperands(let name):
      "a proxy can forward the operator '\(name)' where exactly one operand is 'Self'"
    case .operatorDefault(let name):
      "the compiler does not find the default that a macro gives the operator '\(name)': write it yourself"
    case .defaultElsewhere: "@Default belongs at a requirement of a @Proxied protocol"
    case .defaultLacksValue(let name): "the default of '\(name)' needs a value: @Default(value)"
    case .defaultHasValue(let name):
      "'\(name)' returns nothing, so its default has no value: @Default"
    }
  }

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID {
    MessageID(domain: "Runnel", id: String("\(self)".prefix { $0 != "(" }))
  }

  /// The error at a place in the source, with the way out where there is one.
  func diagnostic(at node: some SyntaxProtocol, fix: ProxyFix? = nil) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fix.map { [$0.fixIt] } ?? [])
  }
}

/// A way out of a ``ProxyError``: one node for another.
struct ProxyFix: FixItMessage {
  let message: String
  let changes: [FixIt.Change]

  init(_ message: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
    self.message = message
    changes = [.replace(oldNode: Syntax(old), newNode: Syntax(new))]
  }

  var fixItID: MessageID { MessageID(domain: "Runnel", id: message) }
  var fixIt: FixIt { FixIt(message: self, changes: changes) }
}
