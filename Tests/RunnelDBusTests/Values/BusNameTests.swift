import CSystemd
import Testing

@testable import RunnelDBus

/// The rules for names, compared with those of sd-bus.
@Suite struct BusNameTests {
  /// All texts of up to five characters of an alphabet that has each kind of character.
  private static let texts: [String] = {
    var texts = [""]
    var longest = [""]
    for _ in 0..<5 {
      longest = longest.flatMap { text in "a9_.:-/é".map { text + String($0) } }
      texts += longest
    }
    return texts
  }()

  @Test func namesHaveTheRulesOfTheBus() {
    for text in Self.texts {
      let rules = [
        (NameRules.isPath(text), sd_bus_object_path_is_valid(text)),
        // sd-bus accepts a digit at the beginning, which D-Bus forbids.
        (NameRules.isMember(text), text.hasPrefix("9") ? 0 : sd_bus_member_name_is_valid(text)),
        (NameRules.isInterface(text), sd_bus_interface_name_is_valid(text)),
        (NameRules.isService(text), sd_bus_service_name_is_valid(text)),
      ]
      for (index, (own, other)) in rules.enumerated() where own != (other != 0) {
        Issue.record("\"\(text)\", rule \(index): \(own) instead of \(other)")
      }
    }
  }

  @Test func pathsKnowTheirAncestors() {
    let path: ObjectPath = "/a/b"
    let other: ObjectPath = "/ab"
    #expect(path.isBelow(.root) && path.isBelow("/a") && path.isBelow(path))
    #expect(!path.isBelow("/a/b/c") && !other.isBelow("/a"))
  }

  @Test(arguments: [
    "a", "a{vs}", "(", ")", "()", "a{s}", "a{sss}", "{sv}", "e", "r", "z", "(i", "a()", "é",
    "a{s(i}",
  ])
  func wrongSignaturesAreRefused(_ text: String) {
    #expect(BusType.types(of: text) == nil)
    #expect(Signature(text) == nil)
  }

  @Test func typesAreComparedWithSignatures() {
    let all = [
      "", "y", "s", "ss", "as", "aas", "a{sv}", "a{sa{sv}}", "a{s(iu)}", "(s(ii)ay)", "(s(ii)a)",
      "v", "(v)", "(vv)", "a", "(", "a{", "a{s", "a{sv",
    ]
    for left in all {
      guard let types = BusType.types(of: left) else { continue }
      for right in all {
        let areEqual = right.withCString { BusType.areTypes(types, of: $0) }
        #expect(areEqual == (left == right), "\(left) \(right)")
      }
    }
  }

  @Test func signaturesHaveADepthAndALength() {
    func arrays(_ count: Int) -> String { String(repeating: "a", count: count) + "i" }
    func structures(_ count: Int) -> String {
      String(repeating: "(", count: count) + "i" + String(repeating: ")", count: count)
    }
    #expect(Signature(arrays(32)) != nil && Signature(arrays(33)) == nil)
    #expect(Signature(structures(32)) != nil && Signature(structures(33)) == nil)
    #expect(Signature(String(repeating: "i", count: 255)) != nil)
    #expect(Signature(String(repeating: "i", count: 256)) == nil)
  }

  @Test func valuesOfAddressesAreEscaped() {
    #expect(BusAddress.escaped("/run/user/0-1_a.B") == "/run/user/0-1_a.B")
    #expect(BusAddress.escaped("/a b;c,é%") == "/a%20b%3bc%2c%c3%a9%25")
  }

  @Test func errorsKeepTheirNames() {
    for name in ["ServiceUnknown", "UnknownMethod", "InvalidArgs", "Failed", "NoReply"] {
      let error = BusError(name: "org.freedesktop.DBus.Error.\(name)", text: "why")
      #expect(error.name == "org.freedesktop.DBus.Error.\(name)" && error.text == "why")
      if case .other = error { Issue.record("\(name) has no case") }
    }
    let own = BusError(name: "org.example.Full", text: "no room")
    #expect(own == .other(name: "org.example.Full", text: "no room"))
    #expect(own.name == "org.example.Full" && "\(own)" == "org.example.Full: no room")
  }
}
