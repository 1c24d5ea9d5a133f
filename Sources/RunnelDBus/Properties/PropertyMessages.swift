/// The messages of the interface `org.freedesktop.DBus.Properties`, which each object with properties has.
extension SignalFilter {
  /// A filter for the changes of the properties of an interface.
  static func propertiesChanged(
    of interface: String, at path: ObjectPath? = nil, from service: String?
  ) -> SignalFilter {
    SignalFilter(
      "PropertiesChanged", of: StandardInterface.properties, at: path, from: service,
      firstArgument: interface)
  }
}

extension BusMethod {
  /// A method that reads or writes properties: `Get`, `GetAll` or `Set`.
  static func ofProperties(
    _ name: String, at path: ObjectPath, from service: String?
  ) -> BusMethod {
    BusMethod(name, of: StandardInterface.properties, at: path, from: service)
  }
}

extension BusBody {
  /// The new values and the names without values of the signal `PropertiesChanged`; nil if it has other types.
  var changedProperties: (values: [String: Variant], invalidated: [String])? {
    guard
      let (_, values, invalidated) = try? values(
        as: String.self, [String: Variant].self, [String].self)
    else { return nil }
    return (values, invalidated)
  }
}
