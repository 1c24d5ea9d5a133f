import Foundation
import FoundationXML
import Runnel

@Proxied
protocol SongFileEvents: AnyObject, XMLParserDelegate {
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String])
}

let songFile = SongFileEventsProxy()
songFile.stream(\.parser_didStartElement_namespaceURI_qualifiedName_attributes)
  .compactMap { _, _, _, _, attributes in attributes["title"] }
  .observeNext { print($0) }

let parser = XMLParser(data: Data("<songs><song title='Blue'/><song title='Hey'/></songs>".utf8))
parser.delegate = songFile
_ = parser.parse()

// Output:
// Blue
// Hey
