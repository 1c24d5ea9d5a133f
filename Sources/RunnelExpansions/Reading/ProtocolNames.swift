import SwiftSyntax

/// The names of a proxied protocol and its generated types, as other code refers to them.
struct ProtocolNames {
  /// The protocol, with generic arguments if it has any: `ScrollViewDelegate`.
  let target: String
  /// The proxy class, with the same arguments: `ScrollViewDelegateProxy`.
  let proxy: String
  /// The forwarding protocol: `ScrollViewDelegateForwarding`.
  let forwarding: String
  /// The prefix of generated members: `scrollViewDelegate`.
  let prefix: String

  init(owner: some StringProtocol, name: String, arguments: String) {
    target = "\(owner)\(name.asReference)\(arguments)"
    proxy = "\(owner)\("\(name)Proxy".asReference)\(arguments)"
    forwarding = "\(owner)\("\(name)Forwarding".asReference)"
    prefix = name.asPrefix
  }

  /// Creates the names of a refined protocol from an argument such as `ScrollViewDelegate.self`.
  /// Fails if the expression is not a type.
  ///
  /// The expression may also name the proxy, which the compiler finds if it is in another module.
  /// `(any Picker).self` takes over the inherited associated types, because they cannot be named
  /// there.
  init?(refining expression: ExprSyntax, inherited: [String]) {
    var text = expression.trimmedDescription
    guard text.hasSuffix(".self") else { return nil }
    text.removeLast(".self".count)
    let isAny = text.hasPrefix("(any ") && text.hasSuffix(")")
    if isAny { text = String(text.dropFirst(5).dropLast()) }
    var arguments = text.firstIndex(of: "<").map { String(text[$0...]) } ?? ""
    let path = text.dropLast(arguments.count)
    if isAny && arguments.isEmpty && !inherited.isEmpty {
      arguments = "<\(inherited.joined(separator: ", "))>"
    }
    let owner = path.lastIndex(of: ".").map { path[...$0] } ?? ""
    var name = String(path.dropFirst(owner.count)).withoutBackticks
    if name.hasSuffix("Proxy") { name.removeLast("Proxy".count) }
    guard !name.isEmpty else { return nil }
    self.init(owner: owner, name: name, arguments: arguments)
  }
}

extension TypeSyntaxProtocol {
  /// The owner of a nested type: `Outer.` for `Outer.Inner`, otherwise empty.
  var ownerPath: String {
    self.as(MemberTypeSyntax.self).map { "\($0.baseType.trimmedDescription)." } ?? ""
  }
}

extension String {
  /// The name with a lowercase beginning: `tableView` for `TableView`, `urlHandler` for
  /// `URLHandler`.
  var asPrefix: String {
    let name = String(withoutBackticks.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let capitals = name.prefix { $0.isUppercase }.count
    let count = max(1, capitals == name.count ? capitals : capitals - 1)
    return (name.first?.isNumber == true ? "_" : "") + name.prefix(count).lowercased()
      + name.dropFirst(count)
  }
}
