import Runnel

try Folder("letters").make()
try Folder("letters").file("Jim.txt").create(Array("Dear Jim\n".utf8))

let recent = RecentFiles(of: "Letters", command: "letters %f", at: "recent.xbel")
try recent.add("letters/Jim.txt", type: "text/plain")
let list = String(decoding: try SafeFile(recent.path).contents().bytes, as: UTF8.self)
print(list.contains("/letters/Jim.txt\""))

// Output:
// true
