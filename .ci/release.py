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


def wrong(version: str, changelog: str) -> list[str]:
    """What is wrong with any commit, a line each."""
    said = []
    listed = parts(changelog)
    names = [name for name, _, _ in listed]
    released = [name for name in names if name != "Unreleased"]
    if names[:1] not in (["Unreleased"], [version]):
        said.append(f"CHANGELOG.md begins with {names[:1]}, neither Unreleased nor {version}")
    numbers = [number(name) for name in released]
    if numbers != sorted(set(numbers), reverse=True):
        said.append(f"CHANGELOG.md: the versions {released} do not descend")
    if numbers and number(version) < numbers[0]:
        said.append(f"CHANGELOG.md knows {released[0]}, pyproject.toml only {version}")
    said += [
        f"CHANGELOG.md: {name} has no date (YYYY-MM-DD)"
        for name, day, _ in listed
        if name != "Unreleased" and not is_date(day)
    ]
    return said


def wrong_with_tag(version: str, changelog: str, tag: str) -> list[str]:
    """What is wrong with a tagged commit besides."""
    said = []
    texts = {
        name: re.sub(r"^### .*$", "", text, flags=re.MULTILINE).strip()
        for name, _, text in parts(changelog)
    }
    if tag != f"v{version}":
        said.append(f"the tag is {tag}, the version {version}")
    if not texts.get(version):
        said.append(f"CHANGELOG.md says nothing about {version}")
    if texts.get("Unreleased"):
        said.append("CHANGELOG.md still has something unreleased")
    return said


def number(version: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)+", version):
        sys.exit(f"the version {version} is not of the form 1.2.3, the only one that is released")
    return tuple(map(int, version.split(".")))


def is_date(text: str | None) -> bool:
    try:
        date.fromisoformat(text or "")
    except ValueError:
        return False
    return True


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    said = wrong(version, changelog)
    for tag in sys.argv[1:]:
        said += wrong_with_tag(version, changelog, tag)
    if said:
        sys.exit("\n".join(said))
    print(f"version {version}, and CHANGELOG.md agrees")


if __name__ == "__main__":
    main()
