"""Archives that a store refuses, and what a store consists of."""

from pathlib import Path


def contents(folder):
    """Every file of the store. Readers may leave the files that SQLite shares memory with."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.name.endswith(("-shm", "-wal")):
            found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found


def refuse(stage, person, archives, words=lambda name: [], piped=False):
    """Fails unless a store refuses each of the named archives with 65, says nothing else, and stays as it is to the last byte."""
    before = contents(stage.place(person))
    wrong = []
    for name, content in archives.items():
        path = Path(f"{name}.zip")
        path.write_bytes(content)
        for way in "--replace", "--dry-run":
            ended = stage.shell(person, " ".join(["tacit", "import", way, str(path), "--json", *words(name)]))
            error = ended.error if ended.code else {"exit": 0, "code": ""}
            if (ended.code, error["exit"], ended.out) != (65, 65, "") or not error["code"].startswith("archive."):
                wrong.append((name, way, ended.code, error["code"], ended.err[:300]))
        path.unlink()
        if piped:
            stage.tacit(person, "import", "--replace", "-", stdin=content, expect=65)
        after = contents(stage.place(person))
        if after != before:
            wrong.append((name, "changed", set(after) ^ set(before)))
            before = after
    assert not wrong, "\n".join(map(str, wrong))
