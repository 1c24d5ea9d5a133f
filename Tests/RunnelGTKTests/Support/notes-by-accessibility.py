#!/usr/bin/python3
"""Uses the program Notes by AT-SPI alone, as a screen reader does. Prints what it sees."""
import os
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

START = time.monotonic()
# Before the test gives up, so that it can say what is missing.
DEADLINE = START + 45
LOOKS = int(os.environ.get("LOOKS", 1))
is_changed = False


def wait(what, condition):
    """Waits until a condition holds, and returns its value."""
    context = GLib.MainContext.default()
    while True:
        try:
            value = condition()
            if value:
                return value
        except GLib.Error:
            pass  # The object is gone: another look finds its successor.
        # The library may keep an outdated tree if it looks while the window is built: a new process sees the window.
        if not is_changed and time.monotonic() > START + 10 and LOOKS < 3:
            print(f"There is no {what} yet.", flush=True)
            os.environ["LOOKS"] = str(LOOKS + 1)
            os.execv(sys.executable, [sys.executable] + sys.argv)
        if time.monotonic() > DEADLINE:
            print(f"There is no {what}. There is:")
            dump(Atspi.get_desktop(0))
            sys.exit(1)
        while context.iteration(False):
            pass
        time.sleep(0.02)


def dump(node, depth=0):
    for child in children(node):
        states = [s.value_nick for s in child.get_state_set().get_states()]
        print("  " * depth, child.get_role_name(), repr(child.get_name()), " ".join(states), child.get_interfaces())
        dump(child, depth + 1)


def children(node):
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child:
            yield child


def every(node, role, name=None):
    """Returns the objects in one that have a role, and a name that begins with a text."""
    found = []
    for child in children(node):
        if child.get_role_name() == role and (name is None or child.get_name().startswith(name)):
            found.append(child)
        found += every(child, role, name)
    return found


def find(role, name):
    app = Atspi.get_desktop(0)
    return wait(f"{role} {name}", lambda: (every(app, role, name) or [None])[0])


def has(node, state):
    return node.get_state_set().contains(state)


def act(node, name):
    names = [Atspi.Action.get_action_name(node, index) for index in range(Atspi.Action.get_n_actions(node))]
    Atspi.Action.do_action(node, names.index(name))


def text(node):
    return Atspi.Text.get_text(node, 0, -1)


if sys.argv[1:] == ["dump"]:
    find("text", "Search")
    dump(Atspi.get_desktop(0))
    sys.exit(0)

def events():
    """Presses keys, and checks what a listener hears."""
    global is_changed
    heard = []

    def hear(event):
        try:
            name = event.source.get_name()
        except GLib.Error:
            return  # The object is gone.
        heard.append((event.type, event.detail1, str(event.any_data), name))

    def expect(key, *wanted):
        """Presses a key, and waits for events in an order. Each has a type, an integer, and the beginnings of a
        text and of the name of its source."""
        del heard[:]
        subprocess.run(["xdotool", "key", key], check=True)

        def is_heard():
            rest = iter(heard)
            return all(any(matches(event, one) for event in rest) for one in wanted)

        def matches(event, one):
            return event[:2] == one[:2] and all(got.startswith(part) for got, part in zip(event[2:], one[2:]))

        wait(f"event of {key}: {wanted}, but {heard}", is_heard)

    find("text", "Search")
    # A service of the desktop may be there, too.
    wait("name of the application", lambda: "Notes" in [app.get_name() for app in children(Atspi.get_desktop(0))])
    is_changed = True
    listener = Atspi.EventListener.new(hear)
    for kind in ["state-changed:focused", "text-changed", "text-caret-moved", "property-change:accessible-description"]:
        listener.register("object:" + kind)
    subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "^Notes$", "windowfocus", "--sync"], check=True)
    focused, insert = "object:state-changed:focused", "object:text-changed:insert"
    delete, caret = "object:text-changed:delete", "object:text-caret-moved"
    # The search field tells what it selects. Rows take the focus, with their names.
    expect("Down", ("object:property-change:accessible-description", 0, "Apple, red", "Search"))
    expect("Tab", (focused, 0, "", "Search"), (focused, 1, "", "Apple, red"))
    expect("Down", (focused, 0, "", "Apple, red"), (focused, 1, "", "Banana, yellow"))
    # Edits have their text and their position, and the caret follows.
    expect("Tab", (focused, 0, "", "Banana, yellow"), (focused, 1, "", "Note"))
    expect("x", (insert, 0, "x", "Note"), (caret, 1, "", "Note"))
    expect("y", (insert, 1, "y", "Note"), (caret, 2, "", "Note"))
    expect("BackSpace", (delete, 1, "y", "Note"), (caret, 1, "", "Note"))
    expect("ctrl+z", (insert, 1, "y", "Note"), (caret, 2, "", "Note"))
    # A dialog says where its focus is.
    expect("F2", (focused, 0, "", "Note"), (focused, 1, "", "Rename Banana"))
    act(find("push button", "Cancel"), "click")
    wait("end of the dialog", lambda: not every(Atspi.get_desktop(0), "dialog"))
    subprocess.run(["xdotool", "key", "ctrl+q"], check=True)
    print("done")


if sys.argv[1:] == ["events"]:
    events()
    sys.exit(0)

frame = find("frame", "Notes")
search = find("text", "Search")
table = find("table", "Notes")
find("heading", "Title")
find("status bar", "")


def rows():
    """The rows that the list shows: their names, with a mark for a selected one."""
    return [
        ("> " if has(row, Atspi.StateType.SELECTED) else "") + row.get_name().split(",")[0]
        for row in every(find("table", "Notes"), "table row")
    ]


# Rows have names, and the search field restricts them.
Atspi.EditableText.set_text_contents(search, "")
wait("list of all notes", lambda: rows() == ["Apple", "Banana", "Cherry"])
Atspi.EditableText.set_text_contents(search, "ban")
wait("restricted list with a selected row", lambda: rows() == ["> Banana"])
wait("text of the note", lambda: text(find("text", "Note")) == "yellow")

# A row is selected by its action, and the note is edited.
Atspi.EditableText.set_text_contents(search, "")
wait("whole list", lambda: len(rows()) == 3)
act(every(table, "table row", "Cherry")[0], "row.select")
wait("selected row", lambda: rows()[2] == "> Cherry")
wait("text of the note", lambda: text(find("text", "Note")) == "dark")
note = find("text", "Note")
is_changed = True
Atspi.EditableText.set_text_contents(note, "dark and sweet")
wait("edited text", lambda: text(note) == "dark and sweet")


def choose(menu, item):
    """Chooses from a menu of the menu bar, or from the menu of the header bar."""
    buttons = every(frame, "push button", "Main menu")
    if buttons:
        act(buttons[-1], "click")
        # Items may be there before the menu is open, and do nothing then.
        wait("open menu", lambda: any(has(item, Atspi.StateType.FOCUSED) for item in every(frame, "menu item")))
        act(find("menu item", item), "click")
    else:
        act(find("menu item", menu), "item.activate")
        act(find("menu item", item), "item.activate")


# A note is renamed in a dialog.
choose("Note", "Rename")
dialog = find("dialog", "Rename Cherry")
Atspi.EditableText.set_text_contents(every(dialog, "text", "Rename Cherry")[0], "Morello")
act(wait("button", lambda: every(dialog, "push button", "Rename")[0]), "click")
wait("renamed row", lambda: "> Morello" in rows())

# A note is created and deleted.
choose("Note", "Today")
wait("new row", lambda: len(rows()) == 4)
act(every(table, "table row", "Apple")[0], "row.select")
wait("selected row", lambda: "> Apple" in rows())
choose("Note", "Delete")
dialog = find("dialog", "Delete")
act(wait("button", lambda: every(dialog, "push button", "Delete")[0]), "click")
wait("shorter list", lambda: len(rows()) == 3 and "Apple" not in rows())
choose("Note", "Quit")
print("done")
