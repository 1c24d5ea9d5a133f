/// A received call to an object of this program.
final class ServedRequest {
  let object: ExportedObject?
  let member: String
  private let interface: String?
  /// The unique name of the caller. It is nil without a bus.
  let sender: String?
  let body: BusBody

  init(
    _ object: ExportedObject?, _ member: String, of interface: String?, from sender: String?,
    body: BusBody
  ) {
    self.object = object
    self.member = member
    self.interface = interface
    self.sender = sender
    self.body = body
  }

  /// Returns the reply and the types that its values must have.
  func reply(to caller: BusCaller) throws(BusError) -> (BusReply, results: String) {
    guard let object else { throw .unknownObject("There is no such object.") }
    if interface == StandardInterface.properties {
      return try propertyReply(object, to: caller)
    }
    let (interface, method) = try object.method(member, of: interface)
    try body.check(method.types)
    let call = call(object, .call, member, of: interface, by: caller)
    try allow(call, object)
    return (try method.handler(call), method.resultSignature)
  }

  private func call(
    _ object: ExportedObject, _ access: BusCall.Access, _ name: String, of interface: String,
    by caller: BusCaller
  ) -> BusCall {
    BusCall(
      caller: caller, path: object.path, interface: interface, name: name, access: access,
      body: body)
  }

  private func allow(_ call: BusCall, _ object: ExportedObject) throws(BusError) {
    guard let policy = object.policy, !policy(call) else { return }
    throw .accessDenied("The caller may not \(call.access) \(call.interface).\(call.name).")
  }

  // MARK: - Properties

  private func propertyReply(
    _ object: ExportedObject, to caller: BusCaller
  ) throws(BusError) -> (BusReply, results: String) {
    switch member {
    case "Get":
      let (interface, name) = try body.values(as: String.self, String.self)
      let property = try object.property(name, of: interface)
      try allow(call(object, .read, name, of: interface, by: caller), object)
      return (.value(Variant(try property.read())), "v")
    case "GetAll":
      let name = try body.value(as: String.self)
      return (.value(try values(of: object, try object.interface(name), caller)), "a{sv}")
    case "Set":
      let (interface, name, value) = try body.values(
        as: String.self, String.self, Variant.self)
      let property = try object.property(name, of: interface)
      guard let write = property.write else {
        throw .readOnlyProperty("\(interface).\(name) cannot be written.")
      }
      let type = value.content.type
      guard type == property.type else {
        throw .wrongSignature(expected: property.type.signature, found: type.signature)
      }
      try allow(call(object, .write, name, of: interface, by: caller), object)
      try write(BusReader(TreeReader([value.content])))
      return (.empty, "")
    default:
      throw .unknownMethod("\(StandardInterface.properties) has no method \(member).")
    }
  }

  private func values(
    of object: ExportedObject, _ interface: BusInterface, _ caller: BusCaller
  ) throws(BusError) -> [String: Variant] {
    var values: [String: Variant] = [:]
    for (name, property) in interface.properties {
      let call = call(object, .read, name, of: interface.name, by: caller)
      guard object.policy?(call) != false else { continue }
      values[name] = Variant(try property.read())
    }
    return values
  }
}
