/// A text that is compared by its bytes.
///
/// `String` compares by canonical equivalence: for it, `é` and `e` with an accent are equal. For a
/// broker these are two topics, so the tables of topics use this type as their key.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (one: ExactText, other: ExactText) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
