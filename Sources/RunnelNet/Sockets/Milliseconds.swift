extension Duration {
  /// The whole milliseconds, up to some centuries.
  var inMilliseconds: Int64 {
    let (seconds, attoseconds) = min(self, .seconds(1 << 34)).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
