import Runnel

@Proxied
@MainActor
protocol SongListDelegate: AnyObject {
  func songList(_ list: SongList, didSelect song: String)
}

/// A class that knows nothing of proxies.
@MainActor
final class SongList {
  weak var delegate: (any SongListDelegate)?

  func click(_ song: String) { delegate?.songList(self, didSelect: song) }
}

let songs = SongList()
let proxy = SongListDelegateProxy()
songs.delegate = proxy
proxy.stream(\.songList_didSelect).observeNext { _, song in print(song) }
songs.click("Blue")

// Output:
// Blue
