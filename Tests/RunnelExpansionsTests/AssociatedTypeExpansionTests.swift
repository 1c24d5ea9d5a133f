import Testing

@Suite struct AssociatedTypeExpansionTests {
  @Test func associatedTypesBecomeGenericParameters() {
    expectDifference(
      of: """
        @Proxied protocol Picker<Item, Other>: AnyObject {
          associatedtype Other where Other: Equatable
          associatedtype Item: Hashable
          func picked(_ item: Item, other: [Self.Other])
          func price() -> Item
        }
        """,
      from: """
        @Proxied protocol Picker: AnyObject {
          func picked(_ item: Int, other: [String])
          func price() -> Int
        }
        """,
      """
        @DecoyConformers
      - final class PickerProxy: ProtocolProxy, PickerForwarding {
      + final class PickerProxy<Item: Hashable, Other>: ProtocolProxy, PickerForwarding where Other: Equatable {
          final class Requirements {
      -     let picked_other = EventRequirement<Int, [String]>()
      -     let price = AnswerRequirement<Int, Never>()
      +     let picked_other = EventRequirement<Item, [Other]>()
      +     let price = AnswerRequirement<Item, Never>()
          let ties = ProxyTies()
      -   @exclusivity(unchecked) weak var forwardTo: (any Picker)? {
      +   @exclusivity(unchecked) weak var forwardTo: (any Picker<Item, Other>)? {
          var pickerRequirements: Requirements { requirements }
      -   var pickerTarget: (any Picker)? { forwardTo }
      +   var pickerTarget: (any Picker<Item, Other>)? { forwardTo }
        protocol PickerForwarding: Picker {
      -   var pickerRequirements: PickerProxy.Requirements { get }
      -   var pickerTarget: (any Picker)? { get }
      +   var pickerRequirements: PickerProxy<Item, Other>.Requirements { get }
      +   var pickerTarget: (any Picker<Item, Other>)? { get }
        extension Picker where Self: PickerForwarding {
      -   func picked(_ item: Int, other: [String]) {
      +   func picked(_ item: Item, other: [Self.Other]) {
          }
      -   func price() -> Int {
      +   func price() -> Item {
      """)
  }

  @Test func whereClausesAreCopiedToTheProxy() {
    expectDifference(
      of: """
        @Proxied protocol Picker<Item>: AnyObject where Item: Hashable {
          associatedtype Item: Collection where Self.Item.Element == Int
        }
        """,
      from: """
        @Proxied protocol Picker<Item>: AnyObject {
          associatedtype Item: Collection
        }
        """,
      """
        @DecoyConformers
      - final class PickerProxy<Item: Collection>: ProtocolProxy, PickerForwarding {
      + final class PickerProxy<Item: Collection>: ProtocolProxy, PickerForwarding where Item.Element == Int, Item: Hashable {
      """)
  }

  @Test func refinesAProtocolWithConcreteTypes() {
    expectDifference(
      of: """
        @Proxied(refining: (any Picker<Int, String>).self)
        protocol Child: Picker where Item == Int, Other == String {
          func told()
        }
        """,
      from: """
        @Proxied protocol Child: AnyObject {
          func told()
        }
        """,
      """
        final class ChildProxy: ProtocolProxy, ChildForwarding {
      -   final class Requirements {
      +   @dynamicMemberLookup final class Requirements {
      +     let picker = PickerProxy<Int, String>.Requirements()
            let told = EventRequirement< >()
      +     subscript<Requirement>(dynamicMember key: KeyPath<PickerProxy<Int, String>.Requirements, Requirement>) -> Requirement {
      +       picker[keyPath: key]
      +     }
        /// A proxy that forwards the calls to a `Child`.
      - protocol ChildForwarding: Child {
      + protocol ChildForwarding: Child, PickerForwarding {
        extension Child where Self: ChildForwarding {
      +   var pickerRequirements: PickerProxy<Int, String>.Requirements { childRequirements.picker }
      +   var pickerTarget: (any Picker<Int, String>)? {
      +     func refined(_ target: some Child) -> any Picker<Int, String> { target }
      +     return childTarget.map { refined($0) }
      +   }
      """)
  }

  @Test func refinesAProtocolWithInheritedTypes() {
    expectDifference(
      of: """
        @Proxied(refining: (any Picker).self)
        protocol Child<Item, Own>: Picker where Item: Hashable {
          associatedtype Own
          func told()
        }
        """,
      from: """
        @Proxied protocol Child<Item, Own>: AnyObject where Item: Hashable {
          associatedtype Item
          associatedtype Own
          func told()
        }
        """,
      """
        final class ChildProxy<Item, Own>: ProtocolProxy, ChildForwarding where Item: Hashable {
      -   final class Requirements {
      +   @dynamicMemberLookup final class Requirements {
      +     let picker = PickerProxy<Item>.Requirements()
            let told = EventRequirement< >()
      +     subscript<Requirement>(dynamicMember key: KeyPath<PickerProxy<Item>.Requirements, Requirement>) -> Requirement {
      +       picker[keyPath: key]
      +     }
        /// A proxy that forwards the calls to a `Child`.
      - protocol ChildForwarding: Child {
      + protocol ChildForwarding: Child, PickerForwarding {
        extension Child where Self: ChildForwarding {
      +   var pickerRequirements: PickerProxy<Item>.Requirements { childRequirements.picker }
      +   var pickerTarget: (any Picker<Item>)? {
      +     func refined(_ target: some Child<Item, Own>) -> any Picker<Item> { target }
      +     return childTarget.map { refined($0) }
      +   }
      """)
  }
}
