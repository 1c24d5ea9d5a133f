import Testing

@Suite struct AssociatedTypeExpansionTests {
  @Test func associatedTypesBecomeGenericParameters() {
    expectExpansion(
      of: """
        @Proxied protocol Picker<Item, Other>: AnyObject {
          associatedtype Other where Other: Equatable
          associatedtype Item: Hashable
          func picked(_ item: Item, other: [Self.Other])
          func price() -> Item
        }
        """,
      """
      protocol Picker<Item, Other>: AnyObject {
        associatedtype Other where Other: Equatable
        associatedtype Item: Hashable
        func picked(_ item: Item, other: [Self.Other])
        func price() -> Item
      }
      /// A proxy that makes streams of the calls to a `Picker`.
      @DecoyConformers
      final class PickerProxy<Item: Hashable, Other>: ProtocolProxy, PickerForwarding where Other: Equatable {
        final class Requirements {
          let picked_other = EventRequirement<Item, [Other]>()
          let price = AnswerRequirement<Item, Never>()
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Picker<Item, Other>)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var pickerRequirements: Requirements { requirements }
        var pickerTarget: (any Picker<Item, Other>)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Picker`.
      protocol PickerForwarding: Picker {
        var pickerRequirements: PickerProxy<Item, Other>.Requirements { get }
        var pickerTarget: (any Picker<Item, Other>)? { get }
      }
      extension Picker where Self: PickerForwarding {
        func picked(_ item: Item, other: [Self.Other]) {
          pickerRequirements.picked_other.listeners?.send((item, other))
          pickerTarget?.picked(item, other: other)
        }
        func price() -> Item {
          if let answer = pickerRequirements.price.answerers?.answer(()) { return answer }
          if let target = pickerTarget { return target.price() }
          ProxyTies.unanswered("Picker.price()")
        }
      }
      """)
  }

  @Test func whereClausesAreCopiedToTheProxy() {
    expectExpansion(
      of: """
        @Proxied protocol Picker<Item>: AnyObject where Item: Hashable {
          associatedtype Item: Collection where Self.Item.Element == Int
        }
        """,
      """
      protocol Picker<Item>: AnyObject where Item: Hashable {
        associatedtype Item: Collection where Self.Item.Element == Int
      }
      /// A proxy that makes streams of the calls to a `Picker`.
      @DecoyConformers
      final class PickerProxy<Item: Collection>: ProtocolProxy, PickerForwarding where Item.Element == Int, Item: Hashable {
        final class Requirements {
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Picker<Item>)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var pickerRequirements: Requirements { requirements }
        var pickerTarget: (any Picker<Item>)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Picker`.
      protocol PickerForwarding: Picker {
        var pickerRequirements: PickerProxy<Item>.Requirements { get }
        var pickerTarget: (any Picker<Item>)? { get }
      }
      extension Picker where Self: PickerForwarding {}
      """)
  }

  @Test func refinesAProtocolWithConcreteTypes() {
    expectExpansion(
      of: """
        @Proxied(refining: (any Picker<Int, String>).self)
        protocol Child: Picker where Item == Int, Other == String {}
        """,
      """
      protocol Child: Picker where Item == Int, Other == String {}
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      final class ChildProxy: ProtocolProxy, ChildForwarding {
        @dynamicMemberLookup final class Requirements {
          let picker = PickerProxy<Int, String>.Requirements()
          subscript<Requirement>(dynamicMember key: KeyPath<PickerProxy<Int, String>.Requirements, Requirement>) -> Requirement {
            picker[keyPath: key]
          }
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Child)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var childRequirements: Requirements { requirements }
        var childTarget: (any Child)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      protocol ChildForwarding: Child, PickerForwarding {
        var childRequirements: ChildProxy.Requirements { get }
        var childTarget: (any Child)? { get }
      }
      extension Child where Self: ChildForwarding {
        var pickerRequirements: PickerProxy<Int, String>.Requirements { childRequirements.picker }
        var pickerTarget: (any Picker<Int, String>)? {
          func refined(_ target: some Child) -> any Picker<Int, String> { target }
          return childTarget.map { refined($0) }
        }
      }
      """)
  }

  @Test func refinesAProtocolWithInheritedTypes() {
    expectExpansion(
      of: """
        @Proxied(refining: (any Picker).self)
        protocol Child<Item, Own>: Picker where Item: Hashable {
          associatedtype Own
        }
        """,
      """
      protocol Child<Item, Own>: Picker where Item: Hashable {
        associatedtype Own
      }
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      final class ChildProxy<Item, Own>: ProtocolProxy, ChildForwarding where Item: Hashable {
        @dynamicMemberLookup final class Requirements {
          let picker = PickerProxy<Item>.Requirements()
          subscript<Requirement>(dynamicMember key: KeyPath<PickerProxy<Item>.Requirements, Requirement>) -> Requirement {
            picker[keyPath: key]
          }
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Child<Item, Own>)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var childRequirements: Requirements { requirements }
        var childTarget: (any Child<Item, Own>)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      protocol ChildForwarding: Child, PickerForwarding {
        var childRequirements: ChildProxy<Item, Own>.Requirements { get }
        var childTarget: (any Child<Item, Own>)? { get }
      }
      extension Child where Self: ChildForwarding {
        var pickerRequirements: PickerProxy<Item>.Requirements { childRequirements.picker }
        var pickerTarget: (any Picker<Item>)? {
          func refined(_ target: some Child<Item, Own>) -> any Picker<Item> { target }
          return childTarget.map { refined($0) }
        }
      }
      """)
  }
}
