import Foundation
import RunnelFoundation
import Testing

@Suite struct JSONFailureTests {
  private struct Fault: Error {}

  @Test func descriptionNamesCause() {
    let json = Data("{".utf8)
    #expect("\(JSONFailure.unreadable(json, Fault()))" == "1 bytes cannot be read as JSON: Fault()")
    #expect("\(JSONFailure.unwritable(Fault()))" == "A value cannot be written as JSON: Fault()")
  }
}
