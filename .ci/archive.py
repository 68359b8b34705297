"""Packs a program for .ci/archive: archive.py TARGET PROGRAM FOLDER."""

import json
import pathlib
import subprocess
import sys
import tarfile
import zipfile

target, program, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
metadata = json.loads(subprocess.check_output(command))
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}


def linked(root):
    """Returns the packages that are linked into the program, without those only for tests or build scripts."""
    found, waiting = set(), [root]
    while waiting:
        current = waiting.pop()
        if current in found:
            continue
        found.add(current)
        for dependency in nodes[current]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return [packages[one] for one in found]


def licences(package):
    """Returns the licence texts of a package, or the text of the MIT licence if it has that licence but no such file."""
    origin = pathlib.Path(package["manifest_path"]).parent
    names = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
    files = [path for path in origin.iterdir() if path.is_file() and path.name.upper().startswith(names)]
    texts = [read(path) for path in sorted(files)]
    if not texts:
        if "MIT" not in (package["license"] or ""):
            sys.exit(f"{package['name']} has no licence text")
        texts = ["Copyright (c) " + (", ".join(package["authors"]) or f"the authors of {package['name']}"), MIT]
    return texts


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip()


MIT = read("LICENSE-MIT").partition("Permission is hereby granted")
MIT = MIT[1] + MIT[2]

root = next(package for package in packages.values() if package["name"] == "timeslice-lab")
parts = ["The program contains the following libraries and fonts."]
for package in sorted(linked(root["id"]), key=lambda package: package["name"]):
    if package["source"] is None:
        continue  # a package of this repository
    heading = f"{package['name']} {package['version']} ({package['license'] or 'see below'})"
    parts.append("\n\n".join([heading, "=" * len(heading), *licences(package)]))
parts.append("The Rust standard library (MIT OR Apache-2.0)\n\nCopyright (c) The Rust Project contributors\n\n" + MIT)
for font in sorted(pathlib.Path("assets/fonts").glob("*.txt")):
    parts.append("\n\n".join([font.name, "=" * len(font.name), read(font)]))
third_party = "\n\n\n".join(parts) + "\n"

name = f"timeslice-lab-{root['version']}-{target}"
folder.mkdir(exist_ok=True)
content = folder / "THIRD-PARTY.txt"
content.write_text(third_party, encoding="utf-8", newline="\n")
files = [program, *map(pathlib.Path, ("README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE")), content]
if "windows" in target:
    archive = folder / f"{name}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            packed.write(file, f"{name}/{file.name}")
else:
    archive = folder / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        for file in files:
            packed.add(file, f"{name}/{file.name}")
content.unlink()
print(archive)
