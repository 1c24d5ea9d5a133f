import Glibc

/// The factor by which the environment variable `RUNNEL_CASES` multiplies the cases of random tests.
private let factor = getenv("RUNNEL_CASES").flatMap { Double(String(cString: $0)) } ?? 1

/// True where `RUNNEL_CASES` asks for more cases than usual.
package let runsManyCases = factor > 1

/// The seeds of a random test: `0..<few`, or as many as `RUNNEL_CASES` asks for, but at least one.
package func seeds<Number: FixedWidthInteger>(_ few: Number) -> Range<Number>
where Number.Stride: SignedInteger {
  0..<max(Number(Double(few) * factor), 1)
}
