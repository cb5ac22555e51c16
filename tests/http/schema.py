"""Whether a value is what a schema of the contract says: jsonschema's word, asked once.

Most of what the suite reads it has read before, in whole or in part: a seat, an
event, a move.  A piece that had no fault has none the next time, at the same
place of the contract.
"""

import hashlib
import json

import jsonschema

_sound = set()
_schemas = {}  # by the numbers that stand for them, which are theirs as long as they live


def _key(schema, value):
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) > 100:
        text = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return id(schema), type(value), text


def _once(errors_of):
    """The errors of a value, if it is not known to have none."""
    def errors(schema, value, *more):
        key = _key(schema, value)
        if key in _sound:
            return
        found = list(errors_of(schema, value, *more))
        if not found:
            _schemas[id(schema)] = schema
            _sound.add(key)
        yield from found
    return errors


def _properties(validator, properties, instance, schema):
    if validator.is_type(instance, "object"):
        for name, inside in properties.items():
            if name in instance:
                yield from _below(inside, instance[name], validator, name, name)


def _items(validator, items, instance, schema):
    assert "prefixItems" not in schema, "the contract has none"
    if validator.is_type(instance, "array"):
        for index, item in enumerate(instance):
            yield from _below(items, item, validator, index, None)


@_once
def _below(schema, value, validator, path, schema_path):
    return validator.descend(value, schema, path=path, schema_path=schema_path)


_Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"properties": _properties, "items": _items})


@_once
def errors(schema, value):
    """What is wrong with a value; `schema` is a part of the contract."""
    return _Validator(schema).iter_errors(value)
