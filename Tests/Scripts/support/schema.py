"""Objects of the program, held against what `tacit schema` says of them."""

import functools
import json
import os
import re
import subprocess

TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
KEYWORDS = {"$schema", "title", "description", "format", "type", "const", "enum", "pattern", "minimum", "items",
            "properties", "required", "additionalProperties", "deprecated", "x-plain"}


@functools.cache
def schemas():
    """The schemas by the types of the objects."""
    done = subprocess.run([os.environ["TACIT"], "schema"], capture_output=True, check=True, timeout=20, env={"HOME": "/"})
    return {schema["title"]: schema for schema in map(json.loads, done.stdout.splitlines())}


def check(value, line):
    """Fails if an object is not as its schema says, or has a field that its schema does not know."""
    assert value["type"] in schemas(), f"no schema for {line}"
    validate(value, schemas()[value["type"]], f"{value['type']} in {line}")


def validate(value, schema, place):
    """As much of JSON Schema as the program uses. Other than there, unknown fields are mistakes: schema and program are of
    one version."""
    assert set(schema) <= KEYWORDS, f"unknown keywords {set(schema) - KEYWORDS}"
    if "const" in schema:
        assert value == schema["const"], f"{value} is not {schema['const']}: {place}"
    if "type" in schema:
        kind = TYPES[schema["type"]]
        assert isinstance(value, kind) and (kind is bool or not isinstance(value, bool)), f"{value} is no {kind}: {place}"
    assert value in schema.get("enum", [value]), f"{value} is none of {schema.get('enum')}: {place}"
    assert "pattern" not in schema or re.search(schema["pattern"], value), f"{value} does not fit: {place}"
    assert "minimum" not in schema or value >= schema["minimum"], f"{value} is too small: {place}"
    for inner in value if "items" in schema else []:
        validate(inner, schema["items"], place)
    for name in schema.get("required", []):
        assert name in value, f"no {name}: {place}"
    others = schema.get("additionalProperties")
    properties = schema.get("properties")
    for name, inner in value.items() if others or properties else []:
        assert others or name in properties, f"the field {name} is not declared: {place}"
        validate(inner, others or properties[name], f"{name} of {place}")
