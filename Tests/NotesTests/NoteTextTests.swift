import RunnelTesting
import Testing

@testable import Notes

@Suite struct NoteTextTests {
  @Test func theEditorSeesPlainLines() {
    let text = NoteText([0xEF, 0xBB, 0xBF] + Array("one\r\ntwo\nthree".utf8))
    #expect(text.text == "one\ntwo\nthree")
    #expect(text.isValid)
  }
}
