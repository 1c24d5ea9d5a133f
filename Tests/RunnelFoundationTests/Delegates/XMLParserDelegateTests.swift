import Foundation
import FoundationXML
import RunnelProxies
import RunnelStreams
import RunnelTesting
import Testing

@Proxied
private protocol SongFileEvents: AnyObject, XMLParserDelegate {
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String])
  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?)
  func parser(_ parser: XMLParser, foundCharacters string: String)
  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error)
}

/// Foundation's parser calls the requirements that the proxied protocol repeats.
@Suite struct XMLParserDelegateTests {
  private let proxy = SongFileEventsProxy()
  private let songs = "<songs><song title='Blue'>Jo &amp; Ann</song><song title='Red'/></songs>"

  private func parse(_ text: String) -> Bool {
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = proxy
    return parser.parse()
  }

  @Test func streamsReceiveTheEventsOfTheParser() {
    var log: [String] = []
    let started = proxy.stream(\.parser_didStartElement_namespaceURI_qualifiedName_attributes)
    started.map { $0.1 }.observeNext { log.append("<\($0)>") }
    started.compactMap { $0.4["title"] }.observeNext { log.append($0) }
    proxy.stream(\.parser_foundCharacters).observeNext { _, text in log.append("'\(text)'") }
    proxy.stream(\.parser_didEndElement_namespaceURI_qualifiedName)
      .observeNext { log.append("</\($0.1)>") }
    #expect(parse(songs))
    let texts = log.filter { $0.hasPrefix("'") }.joined().replacing("''", with: "")
    #expect(texts == "'Jo & Ann'")
    #expect(
      log.filter { !$0.hasPrefix("'") } == [
        "<songs>", "<song>", "Blue", "</song>", "<song>", "Red", "</song>", "</songs>",
      ])
  }

  @Test func aSyntaxErrorIsAnEvent() {
    let errors = Recorder(proxy.stream(\.parser_parseErrorOccurred).map { $0.1 as NSError })
    // The result says nothing: the parser of Linux returns true.
    _ = parse("<songs><song></songs>")
    #expect(errors.elements.first?.domain == XMLParser.errorDomain)
  }

  @Test func theTargetReceivesTheEventsToo() {
    final class Target: SongFileEvents {
      var names: [String] = []

      func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String]
      ) {
        names.append(elementName)
      }
      func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?
      ) {}
      func parser(_ parser: XMLParser, foundCharacters string: String) {}
      func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {}
    }
    let target = Target()
    proxy.forwardTo = target
    #expect(parse(songs))
    #expect(target.names == ["songs", "song", "song"])
  }

  @Test func aStreamCanStopTheParser() {
    var names: [String] = []
    proxy.stream(\.parser_didStartElement_namespaceURI_qualifiedName_attributes)
      .observeNext { parser, name, _, _, _ in
        names.append(name)
        if name == "song" { parser.abortParsing() }
      }
    #expect(!parse(songs))
    #expect(names == ["songs", "song"])
  }
}
