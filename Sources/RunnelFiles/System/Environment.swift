import Glibc

/// Returns the value of an environment variable, or nil if it is not set or not UTF-8.
func environmentVariable(_ name: String) -> String? {
  getenv(name).flatMap { String(validatingCString: $0) }
}

/// The folder for data of the user's programs: `$XDG_DATA_HOME`, or `~/.local/share`.
var userDataFolder: String {
  // Relative paths and invalid UTF-8 are ignored.
  let data = environmentVariable("XDG_DATA_HOME") ?? ""
  let home = environmentVariable("HOME") ?? ""
  return data.hasPrefix("/") ? data : "\(home)/.local/share"
}
