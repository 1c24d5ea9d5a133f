import Glibc

/// Returns the value of an environment variable, or nil if it is not set or not UTF-8.
func environmentVariable(_ name: String) -> String? {
  getenv(name).flatMap { String(validatingCString: $0) }
}
