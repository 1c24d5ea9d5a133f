import Foundation
import Runnel
import RunnelFoundation

extension Notification.Name {
  static let saved = Notification.Name("saved")
}

NotificationCenter.default.rx
  .notification(.saved) { $0.userInfo?["title"] as? String }
  .compactMap { $0 }
  .observeNext { print("Saved: \($0)") }
NotificationCenter.default.post(name: .saved, object: nil, userInfo: ["title": "Milk"])

// Output:
// Saved: Milk
