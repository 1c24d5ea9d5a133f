import RunnelStreams

extension ObservableCollection where Base: SetBase {
  /// Returns the live set of the members of this set and of another one.
  ///
  ///     let mine = CollectionProperty(Set([1, 2]))
  ///     let yours = CollectionProperty(Set([2, 3]))
  ///     let all = mine.union(yours)
  ///     print(all.count)  // 3
  @inlinable
  public func union<Other: SetBase>(
    _ other: some ObservableCollection<Other>
  ) -> LiveCollection<Set<Base.Member>> where Other.Member == Base.Member {
    combined(with: other) { $0 || $1 }
  }

  /// Returns the live set of the members that both this set and another one contain.
  ///
  ///     let mine = CollectionProperty(Set([1, 2]))
  ///     let yours = CollectionProperty(Set([2, 3]))
  ///     let common = mine.intersection(yours)
  ///     print(common.value)  // [2]
  @inlinable
  public func intersection<Other: SetBase>(
    _ other: some ObservableCollection<Other>
  ) -> LiveCollection<Set<Base.Member>> where Other.Member == Base.Member {
    combined(with: other) { $0 && $1 }
  }

  /// Returns the live set of the members of this set that another one does not contain.
  ///
  ///     let all = CollectionProperty(Set([1, 2, 3]))
  ///     let done = CollectionProperty(Set([2]))
  ///     let open = all.subtracting(done)
  ///     print(open.count)  // 2
  @inlinable
  public func subtracting<Other: SetBase>(
    _ other: some ObservableCollection<Other>
  ) -> LiveCollection<Set<Base.Member>> where Other.Member == Base.Member {
    combined(with: other) { $0 && !$1 }
  }

  /// Returns the live set of the members that exactly one of this set and another one contains.
  ///
  ///     let mine = CollectionProperty(Set([1, 2]))
  ///     let yours = CollectionProperty(Set([2, 3]))
  ///     let different = mine.symmetricDifference(yours)
  ///     print(different.count)  // 2
  @inlinable
  public func symmetricDifference<Other: SetBase>(
    _ other: some ObservableCollection<Other>
  ) -> LiveCollection<Set<Base.Member>> where Other.Member == Base.Member {
    combined(with: other) { $0 != $1 }
  }

  /// Returns the live set of the values that satisfy a rule. The rule's arguments are true when
  /// this set and the other one contain the value.
  @inlinable
  func combined<Other: SetBase>(
    with other: some ObservableCollection<Other>, _ belongs: @escaping (Bool, Bool) -> Bool
  ) -> LiveCollection<Set<Base.Member>> where Other.Member == Base.Member {
    let (start, otherStart) = (value, other.value)
    let pair = CombinedSets(start, otherStart, belongs)
    let derived = LiveCollection<Set<Base.Member>>(SetEditor(pair.combined))
    let core = derived.core
    guard live !== other.live else {
      derived.follow(live, since: start) { event in
        (pair.first, pair.second) = (event.collection, event.collection)
        pair.apply(event.changes, to: &core.editor)
      }
      return derived
    }
    derived.follow(live, since: start) { event in
      pair.first = event.collection
      pair.apply(event.changes, to: &core.editor)
    }
    derived.follow(other.live, since: otherStart) { event in
      pair.second = event.collection
      pair.apply(event.changes, to: &core.editor)
    }
    return derived
  }
}

/// The states of two sets as of the events handled so far. Events of either set may be pending.
@usableFromInline
final class CombinedSets<Member: Hashable> {
  @usableFromInline @exclusivity(unchecked) var first: SharedSet<Member>
  @usableFromInline @exclusivity(unchecked) var second: SharedSet<Member>
  @usableFromInline let belongs: (Bool, Bool) -> Bool

  @inlinable
  init(
    _ first: SharedSet<Member>, _ second: SharedSet<Member>,
    _ belongs: @escaping (Bool, Bool) -> Bool
  ) {
    (self.first, self.second, self.belongs) = (first, second, belongs)
  }

  @inlinable
  var combined: SharedSet<Member> {
    SharedSet(first.union(second).lazy.filter(has))
  }

  @inlinable
  func apply(_ changes: SetChanges<Member>?, to editor: inout SetEditor<Member>) {
    guard let changes else { return editor.reset(to: combined) }
    for member in changes.deletes.union(changes.inserts) {
      if has(member) { editor.insert(member) } else { editor.remove(member) }
    }
  }

  @inlinable
  func has(_ member: Member) -> Bool {
    belongs(first.contains(member), second.contains(member))
  }
}
