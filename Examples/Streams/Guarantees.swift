import Runnel

struct LoginError: Error {}

@MainActor func login(_ name: String) -> Single<Int, LoginError> {
  name.isEmpty ? .failed(LoginError()) : .just(7)
}
@MainActor func posts(of user: Int) -> Single<[String], LoginError> { .just(["Hello", "Bye"]) }

login("Jim")
  .flatMap { user in posts(of: user) }
  .observe(succeeded: { print("\($0.count) posts") }, failed: { print($0) })

// Output:
// 2 posts
