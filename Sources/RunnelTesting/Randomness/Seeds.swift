import Glibc

/// The factor by which the environment variable `RUNNEL_CASES` multiplies the cases of random tests.
private let factor = getenv("RUNNEL_CASES").flatMap { Int(String(cString: $0)) } ?? 1

/// True where `RUNNEL_CASES` asks for more cases than usual.
package let runsManyCases = factor > 1

/// The seeds of a random test: `0..<few`, or more where `RUNNEL_CASES` multiplies their number.
package func seeds<Number: FixedWidthInteger>(_ few: Number) -> Range<Number>
where Number.Stride: SignedInteger {
  0..<few * Number(clamping: max(factor, 1))
}
