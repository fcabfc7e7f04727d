"""Mutants of the rules: each is one small change to the source of one function of `spec_model.semantics`.

A mutant stands for an implementation that gets one thing wrong. Nothing here is typed by hand: the changes are derived
from the syntax tree. Texts for people, requirement ids and annotations are left alone, for they decide nothing.
"""

from __future__ import annotations

import ast
import copy
import enum
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Final

import spec_model.semantics

# These hold no rules: the machinery of decisions, and checking, which applies the rules to what peers sent.
_MACHINERY: Final = frozenset({"check", "decision", "exchange", "explore", "functions", "plain", "published"})

_REPORTING: Final = frozenset({"decide", "after", "also", "check", "broken"})

_FLIPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

Change = Callable[[ast.AST], ast.AST]
Undo = Callable[[], None]


@dataclass(frozen=True)
class Mutant:
    """One change: `name` is `module:function/change-n`, `line` its line in the module, `what` the text changed.

    `functions` are those whose code or table it changes.
    """

    name: str
    line: int
    what: str
    functions: tuple[FunctionType, ...]
    apply: Callable[[], Undo]

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Makes the change for the length of the context."""
        undo = self.apply()
        try:
            yield
        finally:
            undo()


@cache
def rule_modules() -> list[ModuleType]:
    """Every module that holds rules."""
    names = [one.name for one in pkgutil.iter_modules(spec_model.semantics.__path__) if one.name not in _MACHINERY]
    return [importlib.import_module(f"spec_model.semantics.{name}") for name in names]


def rule_functions() -> Iterator[tuple[str, FunctionType]]:
    """Every function and method of the rule modules by `module:name`, published or not."""
    for module in rule_modules():
        short = module.__name__.rsplit(".", 1)[-1]
        for one in _defined(module, vars(module)):
            yield f"{short}:{one.__qualname__}", one


def _defined(module: ModuleType, names: Mapping[str, object]) -> Iterator[FunctionType]:
    """The functions written in `module` that stand under these names, and in the classes among them."""
    for _, value in sorted(names.items()):
        function = value.fget if isinstance(value, property) else value
        if isinstance(function, FunctionType):
            if function.__code__.co_filename == module.__file__ and "<" not in function.__qualname__:
                yield function
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from _defined(module, vars(value))


def mutants_of(name: str, target: FunctionType) -> Iterator[Mutant]:
    """Every mutant of one function."""
    tree = _tree(target)
    counts: dict[str, int] = {}
    for index, node in enumerate(_deciding_nodes(tree)):
        for kind, what, change in _changes(node, target):
            counts[kind] = counts.get(kind, 0) + 1
            code = _compiled(_changed(tree, index, change), target)
            line = target.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
            yield Mutant(f"{name}/{kind}-{counts[kind]}", line, what, (target,), _code_swap(target, code))


def _code_swap(target: FunctionType, code: CodeType) -> Callable[[], Undo]:
    def apply() -> Undo:
        original = target.__code__
        target.__code__ = code

        def undo() -> None:
            target.__code__ = original

        return undo

    return apply


def table_mutants() -> Iterator[Mutant]:
    """Mutants of the tables: a row dropped, and in a mapping a row that has the value of the next one."""
    users = _users()
    for module in rule_modules():
        short = module.__name__.rsplit(".", 1)[-1]
        for name, value in sorted(vars(module).items()):
            functions = users.get((name, id(value)))
            if functions and name.upper() == name:
                yield from _mutants_of_table(f"{short}:{name}", name, value, tuple(functions))


def _users() -> dict[tuple[str, int], list[FunctionType]]:
    """Which functions read which module-level value, by its name and identity."""
    users: dict[tuple[str, int], list[FunctionType]] = {}
    for _, function in rule_functions():
        for name in _names(function.__code__):
            if name in function.__globals__:
                users.setdefault((name, id(function.__globals__[name])), []).append(function)
    return users


def _names(code: CodeType) -> set[str]:
    nested = (_names(one) for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*nested)


def _mutants_of_table(title: str, name: str, value: object, functions: tuple[FunctionType, ...]) -> Iterator[Mutant]:
    for kind, what, other in _table_changes(value):
        line = functions[0].__code__.co_firstlineno
        yield Mutant(f"{title}/{kind}", line, what, functions, _rebinding(name, value, other))


def _table_changes(value: object) -> Iterator[tuple[str, str, object]]:
    if isinstance(value, Mapping):
        keys = list(value)
        for n, key in enumerate(keys, 1):
            yield f"drop-row-{n}", repr(key), {one: value[one] for one in keys if one != key}
            other = value[keys[n % len(keys)]]
            if other != value[key]:
                yield f"swap-row-{n}", repr(key), {**value, key: other}
    elif isinstance(value, tuple | frozenset | list):
        items = sorted(value, key=repr) if isinstance(value, frozenset) else list(value)
        for n, item in enumerate(items, 1):
            rest = [one for one in items if one is not item]
            yield f"drop-row-{n}", repr(item)[:70], type(value)(rest)


def _rebinding(name: str, value: object, other: object) -> Callable[[], Undo]:
    def apply() -> Undo:
        held = [module for module in rule_modules() if vars(module).get(name) is value]
        for module in held:
            setattr(module, name, other)

        def undo() -> None:
            for module in held:
                setattr(module, name, value)

        return undo

    return apply


@cache
def _tree(target: FunctionType) -> ast.FunctionDef:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(target))).body
    assert isinstance(node, ast.FunctionDef)
    node.decorator_list = []
    return node


def _deciding_nodes(tree: ast.FunctionDef) -> list[ast.AST]:
    """The nodes of the body that can decide something, in a fixed order; texts and requirement ids are left out."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(reversed(tree.body))
    while stack:
        node = stack.pop()
        if _is_text(node):
            continue
        found.append(node)
        stack.extend(reversed(list(_children(node))))
    return found


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.AnnAssign):
        yield from (one for one in (node.target, node.value) if one is not None)
        return
    if isinstance(node, ast.Call) and _called(node) in _REPORTING:
        yield from (one for one in node.args if not isinstance(one, ast.Constant) or not isinstance(one.value, str))
        return
    yield from ast.iter_child_nodes(node)


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _changed(tree: ast.FunctionDef, index: int, change: Change) -> ast.FunctionDef:
    twin = copy.deepcopy(tree)
    victim = _deciding_nodes(twin)[index]
    replacement = change(victim)
    if replacement is not victim:
        _replace(twin, victim, replacement)
    return ast.fix_missing_locations(twin)


def _replace(tree: ast.AST, victim: ast.AST, replacement: ast.AST) -> None:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is victim:
                setattr(parent, field, replacement)
            elif isinstance(value, list):
                value[:] = [replacement if one is victim else one for one in value]


def _compiled(tree: ast.FunctionDef, target: FunctionType) -> CodeType:
    future = ast.ImportFrom(module="__future__", names=[ast.alias(name="annotations")], level=0)
    module = ast.fix_missing_locations(ast.Module(body=[future, tree], type_ignores=[]))
    code = compile(module, target.__code__.co_filename, "exec")
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == target.__name__)


def _changes(node: ast.AST, target: FunctionType) -> Iterator[tuple[str, str, Change]]:
    match node:
        case ast.If() | ast.IfExp():
            yield "drop-branch", f"never: {_short(node.test)}", _with_test(False)
            yield "force-branch", f"always: {_short(node.test)}", _with_test(True)
        case ast.Compare(ops=[operator]) if type(operator) in _FLIPPED:
            yield "flip-compare", _short(node), _flip
        case ast.BoolOp():
            yield "swap-bool", _short(node), _swap_bool
        case ast.UnaryOp(op=ast.Not()):
            yield "drop-not", _short(node), lambda one: one.operand  # type: ignore[attr-defined]
        case ast.Match(cases=cases) if len(cases) > 1:
            for position in range(len(cases)):
                yield "drop-case", _short(cases[position].pattern), _without_case(position)
        case ast.comprehension(ifs=[_, *_]):
            yield "drop-filter", _short(node.ifs[0]), _without_filter
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            yield "swap-sign", _short(node), _swap_sign
        case _:
            yield from _constant_changes(node, target)


def _constant_changes(node: ast.AST, target: FunctionType) -> Iterator[tuple[str, str, Change]]:
    match node:
        case ast.Constant(value=bool(value)):
            yield "flip-constant", str(value), _constant(not value)
        case ast.Constant(value=int(value)):
            yield "change-constant", str(value), _constant(value + 1)
        case ast.Constant(value=str(value)):
            yield "change-constant", repr(value), _constant(value + "~")
        case ast.Attribute(value=ast.Name(id=owner), attr=member):
            other = _other_member(target.__globals__.get(owner), member)
            if other is not None:
                yield "change-member", f"{owner}.{member} to {other}", _with_attribute(other)


def _other_member(owner: object, member: str) -> str | None:
    """The next member of an enumeration that is no choice; a choice's member only names the profile."""
    if not isinstance(owner, enum.EnumMeta) or not issubclass(owner, enum.Enum) or hasattr(owner, "choice_id"):
        return None
    names = list(owner.__members__)
    if member not in names or len(names) == 1:
        return None
    return names[(names.index(member) + 1) % len(names)]


def _constant(value: bool | int | str) -> Change:
    return lambda _: ast.Constant(value)


def _with_test(value: bool) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.If | ast.IfExp)
        node.test = ast.Constant(value)
        return node

    return change


def _with_attribute(name: str) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Attribute)
        node.attr = name
        return node

    return change


def _without_case(position: int) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Match)
        del node.cases[position]
        return node

    return change


def _without_filter(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.comprehension)
    del node.ifs[0]
    return node


def _flip(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Compare)
    node.ops = [_FLIPPED[type(node.ops[0])]()]
    return node


def _swap_bool(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    return node


def _swap_sign(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BinOp)
    node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return node


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else text[:67] + "..."
