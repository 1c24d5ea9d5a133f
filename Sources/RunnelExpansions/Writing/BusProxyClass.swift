import SwiftSyntax
import SwiftSyntaxBuilder

extension BusProtocol {
  var proxyClass: DeclSyntax {
    let isolated = isolation.map { "\($0) " } ?? ""
    var body = Code([
      "\(memberAccess)static let interfaceName = \"\(interface)\"",
      "\(memberAccess)let remote: RemoteObject",
    ])
    body += Code("\(memberAccess)init(_ remote: RemoteObject)", Code(["self.remote = remote"]))
    for alias in aliases {
      body += Code(alias.documentation) + Code([memberAccess + alias.declaration])
    }
    for member in members { body += calls(member) }
    body += description
    let attributes = (availability + (isolation.map { [$0] } ?? [])).map { $0 + "\n" }.joined()
    let modifiers = (isNonisolated ? "nonisolated " : "") + access
    let proxyName = "\(name.withoutBackticks)Proxy".asReference
    let documentation = [
      "/// An object of another program with the interface `\(interface)`."
    ]
    let head = "\(attributes)\(modifiers)final class \(proxyName): \(isolated)BusProxy"
    return DeclSyntax(stringLiteral: (Code(documentation) + Code(head, body)).text)
  }

  // MARK: - The object of another program

  private func calls(_ member: BusMember) -> Code {
    let head = Code(member.documentation)
    let name = "\"\(member.busName)\""
    switch member.kind {
    case .method(let shape): return methods(member, shape)
    case .property(let type, false) where member.isSilent:
      return head
        + variable(member, "Single<\(type.trimmedDescription), BusError>", "remote.read(\(name))")
    case .property(let type, let isWritable):
      let kind = isWritable ? "writableProperty" : "property"
      let result =
        isWritable
        ? "RemoteProperty<\(type.trimmedDescription)>"
        : "ReadOnlyProperty<\(type.trimmedDescription)?>"
      return head + variable(member, result, "remote.\(kind)(\(name))")
    case .constant(let type):
      return head
        + variable(
          member, "ReadOnlyProperty<\(type.trimmedDescription)?>", "remote.property(\(name))")
    case .signal(let values):
      let types = values.elements.isEmpty ? "" : ", as: \(values.metatypes)"
      return head
        + variable(
          member, "EventStream<\(values.text), BusError>",
          "remote.signals(\(name)\(types))\(values.addingLabels)")
    }
  }

  private func variable(_ member: BusMember, _ type: String, _ value: String) -> Code {
    Code("\(member.attributes)\(memberAccess)var \(member.name): \(type)", Code([value]))
  }

  private func methods(_ member: BusMember, _ shape: BusMethodShape) -> Code {
    let parameters = shape.parameters.map(\.declaration).joined(separator: ", ")
    let head = "\(memberAccess)func \(member.name)(\(parameters))"
    var arguments = "\"\(member.busName)\""
    if !shape.parameters.isEmpty {
      arguments += ", with: " + shape.parameters.map(\.name).joined(separator: ", ")
    }
    if !shape.results.elements.isEmpty { arguments += ", as: \(shape.results.metatypes)" }
    let call = "remote.call(\(arguments))"
    let documentation = Code(member.documentation)
    let hasResults = shape.results.type != nil
    let single =
      hasResults
      ? Code(
        "\(member.attributes)\(head) -> Single<\(shape.results.text), BusError>",
        Code([call + shape.results.addingLabels]))
      : Code(
        "\(member.attributes)\(head) -> Completable<BusError>", Code(["\(call).asCompletable()"]))
    // Without an actor, the method runs on the caller's.
    let caller = isolation == nil ? "nonisolated(nonsending) " : ""
    let result = hasResults ? " -> \(shape.results.text)" : ""
    let async = Code(
      "\(member.attributes)\(hasResults ? member.discardable : "")\(caller)\(head) async throws(BusError)\(result)",
      Code(["try await \(call).reply()"]))
    return documentation + single + documentation + async
  }

  // MARK: - An object of this program

  private var description: Code {
    var body = Code(["var interface = BusInterface(interfaceName)"])
    for member in members { body += description(of: member) }
    body += Code(["return interface"])
    let head = "static func interface(of object: any \(name)) -> BusInterface"
    let isDeprecated = availability.contains { $0.contains("deprecated") }
    guard !isDeprecated, members.contains(where: \.isDeprecated) else {
      return Code(memberAccess + head, body)
    }
    // A deprecated function may use deprecated members. It is called by a protocol that is not deprecated.
    let isolated = isolation.map { "\($0) " } ?? ""
    return Code("private protocol DescribesInterface", Code([isolated + head]))
      + Code(
        "private enum DeprecatedMembers: DescribesInterface",
        Code(["@available(*, deprecated)"]) + Code(isolated + head, body))
      + Code(
        memberAccess + head,
        Code(["(DeprecatedMembers.self as any DescribesInterface.Type).interface(of: object)"]))
  }

  private func description(of member: BusMember) -> Code {
    let name = "\"\(member.busName)\""
    let changes = member.changes.map { ", changes: \($0)" } ?? ""
    switch member.kind {
    case .method(let shape): return description(of: member, shape)
    case .property(_, let isWritable):
      let kind = isWritable ? "writableProperty" : "property"
      return Code(["interface.\(kind)(\(name), object.\(member.name)\(changes))"])
    case .constant: return Code(["interface.constant(\(name), object.\(member.name))"])
    case .signal(let values):
      let names =
        values.isTuple ? "values: \(values.names), " : values.type == nil ? "" : "\"\", "
      return Code([
        "interface.signal(\(name), \(names)object.\(member.name)\(values.removingLabels))"
      ])
    }
  }

  private func description(of member: BusMember, _ shape: BusMethodShape) -> Code {
    let names = (["\"\(member.busName)\""] + shape.parameters.map { "\"\($0.busName)\"" })
      .joined(separator: ", ")
    let inputs = shape.parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    let arguments = shape.parameters.map(\.forwarded).joined(separator: ", ")
    let call = "\(shape.canThrow ? "try " : "")object.\(member.name)(\(arguments))"
    let later =
      shape.results.type == nil
      ? "Completable<BusError>" : "Single<\(shape.results.unlabelled), BusError>"
    let results = shape.results.isTuple ? ", results: \(shape.results.names)" : ""
    var body: Code
    var output: String
    switch shape.answer {
    case .now: (body, output) = (Code([call]), shape.results.unlabelled)
    case .later: (body, output) = (Code([call + shape.results.removingLabels]), later)
    case .async:
      output = later
      body = asynchronousAnswer(call: "object.\(member.name)(\(arguments))", shape)
    }
    let label = if case .now = shape.answer { "answer" } else { "later" }
    return Code(
      closure: "interface.method(\(names)\(results), \(label):",
      "(\(inputs)) throws(BusError) -> \(output)", body, ending: "})")
  }

  /// The task begins at once, so that calls begin in the order in which they arrive.
  private func asynchronousAnswer(call: String, _ shape: BusMethodShape) -> Code {
    var work = Code(["finish(.success(\(shape.canThrow ? "try " : "")await \(call)))"])
    if shape.canThrow {
      work =
        Code("do throws(BusError)", work) + Code("catch", Code(["finish(.failure(error))"]))
    }
    let task = Code(closure: "let task = Task.immediate", isolation ?? "()", work)
    let end = shape.results.type == nil ? ".asCompletable()" : ""
    return Code(
      closure: "Single<\(shape.results.unlabelled), BusError>", "finish",
      task + Code(["return Disposable { task.cancel() }"]), ending: "}\(end)")
  }
}
