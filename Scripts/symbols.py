"""The symbol graphs of the public modules, which Scripts/api and Scripts/docs read from the last debug build."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODULES = [
    "RunnelStreams", "RunnelCollections", "RunnelProxies", "RunnelJSON", "RunnelBus", "RunnelLoop", "RunnelFiles", "RunnelNet", "RunnelSupervisor", "RunnelTLS",
    "RunnelDBus", "RunnelMQTT", "RunnelGzip", "RunnelText", "RunnelFoundation", "RunnelDesk", "RunnelTerminal", "RunnelTesting", "RunnelNetTesting",
]
# The modules that are empty without the trait GTK.
WINDOW_MODULES = ["RunnelGTK"]
# The folders of the debug builds without and with the trait.
BUILD = os.path.join(ROOT, ".build", "debug")
WINDOW_BUILD = os.path.join(ROOT, ".build", "gtk", "debug")
# The folders of the headers and module maps.
HEADERS = ["CLibevent", "CLinux", "CMainQueue", "COpenSSL", "CSockets/include", "CStacks/include", "CSystemd", "CTerminal/include", "CZlib"]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr}")
    return result.stdout


def builds():
    """Pairs of a module and the folder of the build that has it."""
    found = [build for build in (BUILD, WINDOW_BUILD) if os.path.exists(build)]
    if not found:
        sys.exit("There is no debug build. Run swift build.")
    latest = max(found, key=lambda build: os.path.getmtime(os.path.join(build, "Modules")))
    if not os.path.exists(WINDOW_BUILD):
        print("Without a build of Scripts/test --gtk, RunnelGTK is left out.", file=sys.stderr)
        return [(module, latest) for module in MODULES]
    return [(module, latest) for module in MODULES] + [(module, WINDOW_BUILD) for module in WINDOW_MODULES]


def gtk_flags(module):
    """The folders of GTK's headers, for the modules that need them."""
    if module not in WINDOW_MODULES:
        return []
    flags = run("pkg-config", "--cflags-only-I", "gtk4").split()
    return ["-I", os.path.join(ROOT, "Sources/CGTK")] + [part for flag in flags for part in ("-Xcc", flag)]


def write_graphs(module, build, folder, *options):
    """Writes the symbol graphs of a module into a folder: its own declarations, and its extensions of other modules."""
    headers = [part for name in HEADERS for part in ("-I", os.path.join(ROOT, "Sources", name))]
    target = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    run(
        "swift", "symbolgraph-extract", "-module-name", module, "-I", os.path.join(build, "Modules"), "-target", target,
        *headers, *gtk_flags(module), "-minimum-access-level", "public", "-skip-synthesized-members", *options,
        "-output-dir", folder)
