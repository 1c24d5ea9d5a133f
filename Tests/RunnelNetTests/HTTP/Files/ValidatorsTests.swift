import Testing

@testable import RunnelNet

@Suite struct ValidatorsTests {
  private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

  private let validators = Validators(
    tag: "\"a-1\"", date: HTTPDate(seconds: 784_111_777), dateIsStrong: true)

  @Test(
    arguments: [
      ([], .proceed),
      ([("If-Match", "\"a-1\"")], .proceed),
      ([("If-Match", "*")], .proceed),
      ([("If-Match", "\"b\", \"a-1\"")], .proceed),
      ([("If-Match", "\"b\""), ("If-Match", "\"a-1\"")], .proceed),
      ([("If-Match", "\"b\"")], .failed),
      ([("If-Match", "W/\"a-1\"")], .failed),
      ([("If-Match", "")], .failed),
      ([("If-Unmodified-Since", date)], .proceed),
      ([("If-Unmodified-Since", after)], .proceed),
      ([("If-Unmodified-Since", before)], .failed),
      ([("If-Unmodified-Since", "yesterday")], .proceed),
      ([("If-Unmodified-Since", before), ("If-Unmodified-Since", before)], .proceed),
      // The tag counts, not the date.
      ([("If-Match", "\"a-1\""), ("If-Unmodified-Since", before)], .proceed),
      ([("If-None-Match", "\"a-1\"")], .notModified),
      ([("If-None-Match", "W/\"a-1\"")], .notModified),
      ([("If-None-Match", "\"b\", W/\"a-1\"")], .notModified),
      ([("If-None-Match", "*")], .notModified),
      ([("If-None-Match", "\"b\"")], .proceed),
      ([("If-None-Match", "a-1")], .proceed),
      ([("If-None-Match", "\"b\""), ("If-Modified-Since", after)], .proceed),
      ([("If-None-Match", "\"a-1\""), ("If-Modified-Since", before)], .notModified),
      ([("If-Modified-Since", date)], .notModified),
      ([("If-Modified-Since", after)], .notModified),
      ([("If-Modified-Since", before)], .proceed),
      ([("If-Modified-Since", "Sunday, 06-Nov-94 08:49:37 GMT")], .notModified),
      ([("If-Modified-Since", "Sun Nov  6 08:49:37 1994")], .notModified),
      ([("If-Modified-Since", "nonsense")], .proceed),
      ([("If-Match", "\"b\""), ("If-None-Match", "\"a-1\"")], .failed),
      ([("If-Match", "\"a-1\""), ("If-None-Match", "\"a-1\"")], .notModified),
    ] as [([(String, String)], Validators.Outcome)])
  func conditionsAreEvaluatedInOrder(
    _ fields: [(String, String)], _ expected: Validators.Outcome
  ) {
    #expect(validators.evaluate(HTTPRequest("/", fields)) == expected)
    #expect(validators.evaluate(HTTPRequest("/", fields, method: .head)) == expected)
  }

  @Test func changingMethodsFailInsteadOfNotModified() {
    func outcome(_ fields: [(String, String)]) -> Validators.Outcome {
      validators.evaluate(HTTPRequest("/", fields, method: .put))
    }
    #expect(outcome([("If-None-Match", "*")]) == .failed)
    #expect(outcome([("If-Modified-Since", Self.after)]) == .proceed)
  }

  @Test func conditionalRangeNeedsStrongValidator() {
    func allows(_ value: String, isStrong: Bool = true) -> Bool {
      Validators(tag: validators.tag, date: validators.date, dateIsStrong: isStrong)
        .allowRange(HTTPRequest("/", [("If-Range", value)]).headers)
    }
    #expect(validators.allowRange(HTTPHeaders()))
    #expect(allows("\"a-1\""))
    #expect(!allows("W/\"a-1\""))
    #expect(!allows("\"b\""))
    #expect(!allows("*"))
    #expect(allows(Self.date))
    #expect(!allows(Self.after))
    #expect(!allows(Self.before))
    #expect(!allows(Self.date, isStrong: false))
    #expect(
      !validators.allowRange(
        HTTPRequest("/", [("If-Range", "\"a-1\""), ("If-Range", "\"a-1\"")]).headers))
  }
}
