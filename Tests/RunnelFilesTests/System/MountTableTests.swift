import Testing

@testable import RunnelFiles

@Suite struct MountTableTests {
  @Test(arguments: [
    ("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw", "/mnt2"),
    ("1 2 0:1 / / rw - rootfs rootfs rw", "/"),
    ("1 2 0:1 / /a\\040b\\134c\\012 rw - tmpfs none rw", "/a b\\c\n"),
    ("1 2 0:1 / /a\\04 rw - tmpfs none rw", "/a\\04"),
    ("1 2 0:1 / /é\\999\\ rw - tmpfs none rw", "/é\\999\\"),
    ("1 2 0:1 /", nil), ("", nil),
  ])
  func readsMountPointOfLine(_ line: String, _ path: String?) {
    #expect(MountTable.mountPoint(of: Array(line.utf8)[...]) == path.map { PathBytes($0) })
  }
}
