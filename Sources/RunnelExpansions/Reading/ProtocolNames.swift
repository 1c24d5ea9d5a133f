import SwiftSyntax

/// How a proxied protocol and what stands beside it are called from elsewhere.
struct ProtocolNames {
  /// `ScrollViewDelegate`, with generic arguments if it has some.
  let target: String
  /// `ScrollViewDelegateProxy`, the same.
  let proxy: String
  /// `ScrollViewDelegateForwarding`.
  let forwarding: String
  /// `scrollViewDelegate`.
  let prefix: String

  init(owner: some StringProtocol, name: String, arguments: String) {
    target = "\(owner)\(name.asReference)\(arguments)"
    proxy = "\(owner)\("\(name)Proxy".asReference)\(arguments)"
    forwarding = "\(owner)\("\(name)Forwarding".asReference)"
    prefix = name.asPrefix
  }

  /// Those of a protocol that is refined: `refining: ScrollViewDelegate.self`. Nothing where the
  /// expression is no type.
  ///
  /// It may also be that of the proxy, which the compiler finds where that comes from another module.
  /// `(any Picker).self` has the associated types that the protocol inherits, as these cannot be named
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
  /// `Outer.` for `Outer.Inner`, or nothing.
  var ownerPath: String {
    self.as(MemberTypeSyntax.self).map { "\($0.baseType.trimmedDescription)." } ?? ""
  }
}

extension String {
  /// `tableView` for `TableView`, `urlHandler` for `URLHandler`.
  var asPrefix: String {
    let name = String(withoutBackticks.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let capitals = name.prefix { $0.isUppercase }.count
    let count = max(1, capitals == name.count ? capitals : capitals - 1)
    return (name.first?.isNumber == true ? "_" : "") + name.prefix(count).lowercased()
      + name.dropFirst(count)
  }
}
