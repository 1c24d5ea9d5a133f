import Foundation
import FoundationNetworking
import RunnelBus
import RunnelDBus
import RunnelDesk
import RunnelFoundation
import RunnelLoop
import RunnelMQTT
import RunnelNet
import RunnelStreams
import RunnelTerminal
import RunnelTesting
import Testing

@testable import ExampleFiles

/// Errors describe the problem in sentences.
@Suite struct ErrorTests {
  private struct Cause: Error, CustomStringConvertible {
    let description = "The disk is full."
  }

  @Test(
    arguments: [
      AskFailure.nobodyAnswers, AskFailure.timedOut, AskFailure.failed(Cause()), TopicError.empty,
      TopicError.emptyLevel(offset: 1), TopicError.wildcardInTopic(offset: 1),
      TopicError.tooManyLevels,
      TopicError.wildcardWithinLevel(offset: 1), TopicError.levelsAfterHash(offset: 1),
      TopicError.unreadablePayload(topic: "a", reason: "It is empty."),
      TopicError.unwritablePayload(topic: "a", reason: "It is empty."),
      TopicError.noCoder(topic: "a"), TopicError.queueFull(topic: "a", transport: "mqtt://a"),
      TopicError.notRetained(topic: "a", transport: "mqtt://a"), MessageStoreInUse(),
      JoinError.noCoder, JoinError.notRetained(topic: "a", transport: "mqtt://a"),
      ElementCountError.none, ElementCountError.several,
      ProcessError.missing("a"), ProcessError.notExecutable("a"), ProcessError.missingFolder("a"),
      ProcessError.unusable("a"), ProcessError.tooManyDescriptors, ProcessError.tooManyProcesses,
      ProcessError.tooMuchOutput(limit: 9), ProcessError.unreadable(.tooMany),
      ProcessError.system(5), DescriptorError.notOpen(7), DescriptorError.alwaysReady(7),
      DescriptorError.tooMany, DescriptorError.lineTooLong(limit: 9), DescriptorError.system(5),
      MQTTError.connectTimedOut, MQTTError.keepAliveTimedOut, MQTTError.closed,
      MQTTError.refused(.notAuthorized, text: nil), MQTTError.refused(.banned, text: "go away"),
      MQTTError.disconnected(nil, text: nil), MQTTError.disconnected(.sessionTakenOver, text: ""),
      MQTTError.brokenProtocol(.malformedPacket, detail: "a packet is too short"),
      MQTTError.invalidTopic("a/#", reason: "it contains + or #"),
      MQTTError.invalidFilter("", reason: "it is empty"),
      MQTTError.unsupported(.retainNotSupported),
      MQTTError.refusedMessage(topic: "a", .quotaExceeded, text: nil),
      MQTTError.refusedSubscription(filter: "a", .notAuthorized, text: "no"),
      MQTTError.tooLarge(limit: 7), MQTTError.queueFull(limit: 7),
      BusError.timedOut, BusError.disconnected, BusError.cannotConnect(code: 2),
      BusError.serviceAbsent("org.example.Peer"), BusError.invalidName("No-Name"),
      BusError.wrongSignature(expected: "s", found: "u"), BusError.invalidText,
      BusError.invalidDescriptor, DesktopOpenError.invalidAddress("a"),
      DesktopOpenError.unreadableFile("/a", code: 2), DesktopOpenError.cancelled,
      DesktopOpenError.portal(.timedOut), DesktopOpenError.program(.missing("xdg-open")),
      DesktopOpenError.noApplication(.exited(3)),
      BusError.malformed, BusError.tooDeep, BusError.tooLarge,
      ActivationError.malformed("LISTEN_FDS", "x"), ActivationError.notOpen(7),
      ServiceManager.NotificationError.unusableAddress("relative"),
      ServiceManager.NotificationError.system(5), ContractFailure(), MarbleFailure(),
      SocketError(.connect, "a:1", .refused), SocketError(.resolve, "a:1", .unknownName),
      SocketError(.resolve, "a:1", .resolution("try again")),
      SocketError(.read, "a:1", .timedOut(.idle)), SocketError(.read, "a:1", .tooLong(limit: 9)),
      SocketError(.write, "a:1", .overflow(limit: 9)), SocketError(.listen, "a", .unsuitable),
      SocketError(.listen, "/a/b", .noFolder), SocketError(.listen, "/a", .notASocket),
      SocketError(.join, "a", .membership(.notMulticast)), SocketError(.listen, "a", .system(5)),
      HTTPCookieError.invalidName("a"), HTTPCookieError.invalidValue(of: "a"),
      HTTPCookieError.invalidAttribute("Path", of: "a"), HTTPCookieError.mustBeSecure("a"),
      JSONFailure.unreadable(Data(), Cause()), JSONFailure.unwritable(Cause()),
      URLSessionFailure.notText(charset: "utf-8", body: Data()),
      URLSessionFailure.undecodable(Cause(), body: Data()),
    ] as [any Error])
  func describesItself(_ error: any Error) {
    let text = "\(error)"
    #expect((error as Any) is any CustomStringConvertible)
    // A sentence begins with a capital letter, or with the name or number that is its subject.
    let begins = text.first.map { $0.isUppercase || $0.isNumber || $0 == "\"" }
    #expect(begins == true && text.hasSuffix("."), "\(text)")
    #expect(text.contains(" "))
  }

  @Test func allPublicErrorsDescribeThemselves() throws {
    let declaration = /public (?:enum|struct) (\w+): (?:\w+, )*Error\b/
    var found = 0
    for file in try PackageFiles.all(below: "Sources", ending: ".swift") {
      let source = try PackageFiles.lines(of: file).joined(separator: "\n")
      for match in source.matches(of: declaration) {
        found += 1
        let name = match.1
        let conformance = try Regex(
          "extension \(name): CustomStringConvertible|(enum|struct) \(name): [^{]*CustomStringConvertible"
        )
        let isDescribed =
          source.contains(/public (var|let) description: String/) && source.contains(conformance)
        #expect(isDescribed, "\(name) has no description (\(file)).")
      }
    }
    #expect(found > 12)
  }
}
