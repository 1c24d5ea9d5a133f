import Runnel

let folder = Folder("letters")
try folder.make()
let file = folder.file("Jim.txt")
try file.create(Array("Dear Jim\n".utf8))
let old = try file.contents()
switch try file.save(old.bytes + Array("Yours, Ann\n".utf8), over: old) {
case .saved: print("saved")
case .conflict(let copy): print("The other version is in \(copy).")
}

// Output:
// saved
