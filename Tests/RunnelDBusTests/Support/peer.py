"""A service for the tests of RunnelDBus. Arguments: the address of the bus, and a name.

It writes "ready" when it has the name, and then a line for each call of Note. It ends when its standard
input is closed, or with the bus.
"""

import os
import sys

import dbus
import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
INTERFACE = "org.example.Peer"


class Full(dbus.DBusException):
    _dbus_error_name = "org.example.Full"


class Peer(dbus.service.Object):
    @dbus.service.method(INTERFACE, in_signature="v", out_signature="v")
    def Echo(self, value):
        return value

    @dbus.service.method(INTERFACE, in_signature="ii", out_signature="i")
    def Add(self, left, right):
        return left + right

    @dbus.service.method(INTERFACE, in_signature="", out_signature="")
    def Fail(self):
        raise Full("no room")

    @dbus.service.method(INTERFACE, in_signature="", out_signature="", async_callbacks=("reply", "fail"))
    def Never(self, reply, fail):
        print("never", flush=True)

    @dbus.service.method(INTERFACE, in_signature="u", out_signature="")
    def Note(self, number):
        print(number, flush=True)

    @dbus.service.method(INTERFACE, in_signature="u", out_signature="")
    def Emit(self, count):
        for number in range(count):
            self.Count(number)

    @dbus.service.method(INTERFACE, in_signature="", out_signature="")
    def Die(self):
        os._exit(1)

    @dbus.service.signal(INTERFACE, signature="u")
    def Count(self, number):
        pass


bus = dbus.bus.BusConnection(sys.argv[1])
bus.call_on_disconnection(lambda _: os._exit(0))
name = dbus.service.BusName(sys.argv[2], bus)
objects = [Peer(name, "/one"), Peer(name, "/two")]
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
print("ready", flush=True)
loop.run()
