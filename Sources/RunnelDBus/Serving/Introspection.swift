/// Writes the description of an object in the XML of D-Bus.
struct Introspection {
  private var text = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """

  /// The description of an object with interfaces and with objects directly below it.
  ///
  /// Names and signatures contain no character that XML reserves.
  static func describe(_ interfaces: [BusInterface], children: [String]) -> String {
    var writer = Introspection()
    if !interfaces.isEmpty { writer.text += standard }
    for interface in interfaces { writer.add(interface) }
    if interfaces.isEmpty { writer.text += introspectable }
    for child in children { writer.text += " <node name=\"\(child)\"/>\n" }
    return writer.text + "</node>\n"
  }

  private mutating func add(_ interface: BusInterface) {
    text += " <interface name=\"\(interface.name)\">\n"
    for (name, method) in interface.methods {
      text += "  <method name=\"\(name)\">\n"
      add(method.arguments, direction: "in")
      add(method.results, direction: "out")
      text += "  </method>\n"
    }
    for (name, signal) in interface.signals {
      text += "  <signal name=\"\(name)\">\n"
      add(signal.values, direction: nil)
      text += "  </signal>\n"
    }
    for (name, property) in interface.properties {
      let access = property.write == nil ? "read" : "readwrite"
      text +=
        "  <property name=\"\(name)\" type=\"\(property.type.signature)\" access=\"\(access)\">\n"
      text += "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\""
      text += " value=\"\(property.changes.rawValue)\"/>\n  </property>\n"
    }
    text += " </interface>\n"
  }

  private mutating func add(_ arguments: [BusInterface.Argument], direction: String?) {
    for argument in arguments {
      text += "   <arg"
      if NameRules.isMember(argument.name) { text += " name=\"\(argument.name)\"" }
      text += " type=\"\(argument.type.signature)\""
      if let direction { text += " direction=\"\(direction)\"" }
      text += "/>\n"
    }
  }

  private static let introspectable = """
     <interface name="org.freedesktop.DBus.Introspectable">
      <method name="Introspect">
       <arg name="data" type="s" direction="out"/>
      </method>
     </interface>

    """

  private static let standard = """
     <interface name="org.freedesktop.DBus.Peer">
      <method name="Ping"/>
      <method name="GetMachineId">
       <arg name="machine" type="s" direction="out"/>
      </method>
     </interface>
     <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="out"/>
      </method>
      <method name="GetAll">
       <arg name="interface" type="s" direction="in"/>
       <arg name="values" type="a{sv}" direction="out"/>
      </method>
      <method name="Set">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="in"/>
      </method>
      <signal name="PropertiesChanged">
       <arg name="interface" type="s"/>
       <arg name="changed" type="a{sv}"/>
       <arg name="invalidated" type="as"/>
      </signal>
     </interface>

    """ + introspectable
}

/// The interfaces that every object has.
enum StandardInterface {
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let peer = "org.freedesktop.DBus.Peer"
  static let all: Set = [introspectable, properties, peer]
}
