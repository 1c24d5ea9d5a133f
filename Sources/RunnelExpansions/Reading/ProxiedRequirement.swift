import SwiftSyntax

/// One requirement of a proxied protocol: a method, a property, a subscript or an operator.
protocol ProxiedRequirement {
  var head: RequirementHead { get }

  /// Its name among the keys, or nil where it is handed on and makes no streams.
  var key: String? { get set }
  /// The key where another requirement has the same: with types.
  var longKey: String { get }
  /// All the names that it takes among the keys, if it has this one.
  func names(for key: String) -> [String]

  /// The properties that stand for it among the keys.
  func keys() -> Code
  /// What the proxy does when it is called, in the extension.
  func forwarding(in proxied: ProxiedProtocol) -> Code
  /// The same, where it must stand in the class.
  func forwardingInClass(in proxied: ProxiedProtocol) -> Code
  /// What conformers get that leave it out; nothing without a `@Default`.
  func defaults(access: String) -> Code
}

extension ProxiedRequirement {
  func names(for key: String) -> [String] { [key] }
  func forwardingInClass(in proxied: ProxiedProtocol) -> Code { Code() }
}

/// Gives each requirement a key of its own.
struct KeyNames {
  private let counts: [String: Int]
  private var taken: Set<String>

  /// Some names cannot be keys: those of the refined protocols, and these, which a key path reads as
  /// something else.
  init(of members: [ProxiedProtocol.Member], refining parents: [ProtocolNames]) {
    taken = Set(["self", "init", "Type", "Protocol"] + parents.map(\.prefix))
    counts = KeyNames.counts(of: members)
  }

  /// How many want each key. Of the clauses of an `#if` only one is compiled.
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

  /// Where several want one key, each gets its longer one, and where that does not do, a number.
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
        // Only one of the clauses is compiled, so each may use what the others do.
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
