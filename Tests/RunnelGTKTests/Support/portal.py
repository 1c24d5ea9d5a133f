"""A portal with settings, for the tests of RunnelGTK. Arguments: the address of the bus, and the color scheme.

It writes "ready" when it has the name. Each line of its standard input is another scheme: a number, or anything else for
a change of another setting. It ends when its standard input is closed, or with the bus.
"""

import os
import sys

import dbus
import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
INTERFACE = "org.freedesktop.portal.Settings"
APPEARANCE = "org.freedesktop.appearance"


class Portal(dbus.service.Object):
    scheme = sys.argv[2]

    @dbus.service.method(INTERFACE, in_signature="ss", out_signature="v")
    def Read(self, namespace, key):
        if self.scheme == "none" or (namespace, key) != (APPEARANCE, "color-scheme"):
            raise dbus.DBusException("Requested setting not found", name="org.freedesktop.portal.Error.NotFound")
        # The value is in two variants, as the real portal has it.
        return dbus.UInt32(int(self.scheme), variant_level=2)

    @dbus.service.signal(INTERFACE, signature="ssv")
    def SettingChanged(self, namespace, key, value):
        pass


def changed(channel, condition):
    lines = os.read(channel.fileno(), 4096).decode().splitlines()
    if not lines:
        os._exit(0)
    for line in lines:
        if line.isdigit():
            portal.SettingChanged(APPEARANCE, "color-scheme", dbus.UInt32(int(line), variant_level=1))
        else:
            portal.SettingChanged(APPEARANCE, "accent-color", dbus.String(line, variant_level=1))
    return True


bus = dbus.bus.BusConnection(sys.argv[1])
bus.call_on_disconnection(lambda _: os._exit(0))
portal = Portal(bus, "/org/freedesktop/portal/desktop")
bus.request_name("org.freedesktop.portal.Desktop")
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, changed)
print("ready", flush=True)
GLib.MainLoop().run()
