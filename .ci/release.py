"""Checks what a release rests on: CHANGELOG against the version, which stands in pyproject.toml only.

python .ci/release.py            any commit: the changelog has its form, and knows the version or an
                                 unreleased part
python .ci/release.py v1.2.3     a tag: it is the version, whose part of the changelog is dated and not empty
"""

import re
import sys
import tomllib
from datetime import date
from pathlib import Path

HEADING = re.compile(r"^## \[(?P<name>[^]]+)\](?: - (?P<date>\S+))?$", re.MULTILINE)


def parts(changelog: str) -> list[tuple[str, str | None, str]]:
    """Name, date and text of every part, the newest first."""
    found = list(HEADING.finditer(changelog))
    ends = [*(match.start() for match in found[1:]), len(changelog)]
    return [
        (m["name"], m["date"], changelog[m.end() : end].strip())
        for m, end in zip(found, ends, strict=True)
    ]


def wrong(version: str, changelog: str, tag: str | None) -> list[str]:
    """What is wrong, a line each."""
    said = []
    listed = parts(changelog)
    names = [name for name, _, _ in listed]
    released = [name for name in names if name != "Unreleased"]
    if names[:1] != ["Unreleased"] and names[:1] != [version]:
        said.append(f"CHANGELOG.md begins with {names[:1]}, neither Unreleased nor {version}")
    numbers = [tuple(map(int, name.split("."))) for name in released]
    if numbers != sorted(set(numbers), reverse=True):
        said.append(f"CHANGELOG.md: the versions {released} do not descend")
    if numbers and tuple(map(int, version.split("."))) < numbers[0]:
        said.append(f"CHANGELOG.md knows {released[0]}, pyproject.toml only {version}")
    for name, day, _ in listed:
        try:
            if name != "Unreleased":
                date.fromisoformat(day or "")
        except ValueError:
            said.append(f"CHANGELOG.md: {name} has no date (YYYY-MM-DD)")
    if tag is not None:
        if tag != f"v{version}":
            said.append(f"the tag is {tag}, the version {version}")
        if not any(text for name, _, text in listed if name == version):
            said.append(f"CHANGELOG.md says nothing about {version}")
        if any(text for name, _, text in listed if name == "Unreleased"):
            said.append("CHANGELOG.md still has something unreleased")
    return said


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    said = wrong(version, changelog, sys.argv[1] if len(sys.argv) > 1 else None)
    if said:
        sys.exit("\n".join(said))
    print(f"version {version}, and CHANGELOG.md agrees")


if __name__ == "__main__":
    main()
