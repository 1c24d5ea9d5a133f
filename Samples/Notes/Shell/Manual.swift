/// The manual page in the format of `man`, made from the text of the help.
enum Manual {
  static func page(from help: [UInt8]) -> [UInt8] {
    var page = ".TH NOTES 1\n"
    for line in String(decoding: help, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if let first = line.first, first != " " {
        page += ".SH \(line)\n.nf\n"
      } else {
        // A line that begins with a dot or an apostrophe would be a command.
        page += "\\&" + line.dropFirst(2).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        page += "\n"
      }
    }
    return Array(page.utf8)
  }
}
