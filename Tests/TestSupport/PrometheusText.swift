/// A text in the format of Prometheus, version 0.0.4, read strictly.
package struct PrometheusText {
  /// A number with its name and labels.
  package struct Sample: Hashable {
    package let name: String
    package let labels: [String: String]
    package let value: Double

    package init(name: String, labels: [String: String], value: Double) {
      (self.name, self.labels, self.value) = (name, labels, value)
    }
  }

  /// The samples of one metric.
  package struct Metric {
    package let name: String
    package let kind: String
    package let help: String
    package fileprivate(set) var samples: [Sample] = []
  }

  package struct Invalid: Error {
    let line: Int
    let reason: String
  }

  package private(set) var metrics: [Metric] = []

  /// Reads a text. Throws at the first line that is wrong.
  package init(_ text: String) throws(Invalid) {
    guard text.isEmpty || text.hasSuffix("\n") else {
      throw Invalid(line: 0, reason: "The last line does not end.")
    }
    var help: (name: Substring, text: String)?
    // A line feed in a value is escaped.
    for (index, line) in text.split(separator: "\n").enumerated() {
      func invalid(_ reason: String) -> Invalid { Invalid(line: index + 1, reason: reason) }
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      if line.hasPrefix("# HELP ") {
        guard words.count == 4, Self.isName(words[2]) else { throw invalid("HELP") }
        guard let unescaped = Self.unescaped(words[3], in: "\\n") else { throw invalid("escape") }
        help = (words[2], unescaped)
      } else if line.hasPrefix("# TYPE ") {
        guard words.count == 4, let known = help, known.name == words[2],
          ["counter", "gauge", "histogram"].contains(words[3]),
          !metrics.contains(where: { $0.name == words[2] })
        else { throw invalid("TYPE") }
        metrics.append(Metric(name: String(words[2]), kind: String(words[3]), help: known.text))
        help = nil
      } else {
        guard let sample = Self.sample(line), let metric = metrics.last, help == nil else {
          throw invalid("sample")
        }
        guard Self.belongs(sample, to: metric) else { throw invalid("name or labels") }
        guard
          !metric.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
        else { throw invalid("twice") }
        metrics[metrics.count - 1].samples.append(sample)
      }
    }
    for metric in metrics where metric.kind == "histogram" {
      guard Self.bucketsGrow(metric) else { throw Invalid(line: 0, reason: metric.name) }
    }
  }

  /// All samples.
  package var samples: [Sample] { metrics.flatMap(\.samples) }

  private static func isName(_ text: Substring) -> Bool {
    text.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil
  }

  private static func belongs(_ sample: Sample, to metric: Metric) -> Bool {
    guard metric.kind == "histogram" else { return sample.name == metric.name }
    switch sample.name.dropFirst(metric.name.count) {
    case "_bucket": return sample.labels["le"] != nil
    case "_sum", "_count": return sample.labels["le"] == nil
    default: return false
    }
  }

  /// Returns true if each bucket counts those before it, and the last one counts all.
  private static func bucketsGrow(_ metric: Metric) -> Bool {
    var series: [[String: String]: [(limit: Double, count: Double)]] = [:]
    var counts: [[String: String]: Double] = [:]
    for sample in metric.samples {
      var labels = sample.labels
      if let limit = labels.removeValue(forKey: "le") {
        series[labels, default: []].append((number(limit[...]) ?? .nan, sample.value))
      } else if sample.name.hasSuffix("_count") {
        counts[labels] = sample.value
      }
    }
    return series.allSatisfy { labels, buckets in
      let pairs = zip(buckets, buckets.dropFirst())
      return pairs.allSatisfy { $0.limit < $1.limit && $0.count <= $1.count }
        && buckets.last?.limit == .infinity && buckets.last?.count == counts[labels]
    }
  }

  private static func number(_ text: Substring) -> Double? {
    switch text {
    case "+Inf": .infinity
    case "-Inf": -.infinity
    case "NaN": .nan
    default: Double(text)
    }
  }

  /// Reads a line such as `requests_total{path="/",status="200"} 3`.
  private static func sample(_ line: Substring) -> Sample? {
    guard let end = line.lastIndex(of: " "), let value = number(line[line.index(after: end)...])
    else {
      return nil
    }
    let rest = line[..<end]
    guard let brace = rest.firstIndex(of: "{") else {
      return isName(rest) ? Sample(name: String(rest), labels: [:], value: value) : nil
    }
    guard isName(rest[..<brace]), rest.last == "}" else { return nil }
    var labels: [String: String] = [:]
    var left = rest[rest.index(after: brace)...]
    let label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"([,}])/
    while let match = left.prefixMatch(of: label) {
      guard let text = unescaped(match.2, in: "\\n\""), labels[String(match.1)] == nil else {
        return nil
      }
      labels[String(match.1)] = text
      left = left[match.range.upperBound...]
      if match.3 == "}" {
        return left.isEmpty
          ? Sample(name: String(rest[..<brace]), labels: labels, value: value) : nil
      }
    }
    return nil
  }

  /// Returns a text without its escapes; nil if it has others than the given ones.
  private static func unescaped(_ text: Substring, in escapes: String) -> String? {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        guard escapes.unicodeScalars.contains(scalar) else { return nil }
        result.append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        result.append(scalar)
      }
    }
    return isEscaped ? nil : String(result)
  }
}
