import SwiftSyntax

/// A requirement of a proxied protocol: a method, property, subscript or operator.
protocol ProxiedRequirement {
  var head: RequirementHead { get }

  /// The key of the requirement; nil if it makes no streams and is only forwarded.
  var key: String? { get set }
  /// The key with types, for use if another requirement has the same key.
  var longKey: String { get }
  /// Returns all member names that the requirement uses for a key.
  func names(for key: String) -> [String]

  /// Returns the declarations of the keys.
  func keys() -> Code
  /// Returns the implementation of the requirement in the extension.
  func forwarding(in proxied: ProxiedProtocol) -> Code
  /// Returns the implementation of the requirement in the class, if it cannot be in the extension.
  func forwardingInClass(in proxied: ProxiedProtocol) -> Code
  /// Returns the default implementation for conforming types; empty without `@Default`.
  func defaults(access: String) -> Code
}

extension ProxiedRequirement {
  func names(for key: String) -> [String] { [key] }
  func forwardingInClass(in proxied: ProxiedProtocol) -> Code { Code() }
}

/// An assignment of unique keys to requirements.
struct KeyNames {
  private let counts: [String: Int]
  private var taken: Set<String>

  /// Some names cannot be keys: the prefixes of refined protocols, and names with a special meaning
  /// in a key path.
  init(of members: [ProxiedProtocol.Member], refining parents: [ProtocolNames]) {
    taken = Set(["self", "init", "Type", "Protocol"] + parents.map(\.prefix))
    counts = KeyNames.counts(of: members)
  }

  /// Returns the number of requirements for each key. Only one clause of an `#if` is compiled.
  private static func counts(of members: [ProxiedProtocol.Member]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for member in members {
      switch member {
      case .requirement(let requirement):
        guard let key = requirement.key else { continue }
        for name in requirement.names(for: key) { counts[name, default: 0] += 1 }
      case .conditional(let clauses):
        let most = clauses.map { KeyNames.counts(of: $0.members) }
          .reduce(into: [:]) { $0.merge($1, uniquingKeysWith: max) }
        counts.merge(most, uniquingKeysWith: +)
      }
    }
    return counts
  }

  /// Requirements that share a key get their long keys, and a number if those are not unique
  /// either.
  mutating func settle(_ members: inout [ProxiedProtocol.Member]) {
    for index in members.indices {
      switch members[index] {
      case .requirement(var requirement):
        guard let key = requirement.key else { continue }
        let isAlone = requirement.names(for: key).allSatisfy {
          counts[$0] == 1 && !taken.contains($0)
        }
        requirement.key = free(isAlone ? key : requirement.longKey, for: requirement)
        members[index] = .requirement(requirement)
      case .conditional(var clauses):
        // Only one clause is compiled, so different clauses may use the same keys.
        let before = taken
        var after = taken
        for clause in clauses.indices {
          taken = before
          settle(&clauses[clause].members)
          after.formUnion(taken)
        }
        taken = after
        members[index] = .conditional(clauses)
      }
    }
  }

  private mutating func free(_ key: String, for requirement: any ProxiedRequirement) -> String {
    var candidate = key
    var number = 2
    while !taken.isDisjoint(with: requirement.names(for: candidate)) {
      candidate = "\(key)_\(number)"
      number += 1
    }
    taken.formUnion(requirement.names(for: candidate))
    return candidate
  }
}
