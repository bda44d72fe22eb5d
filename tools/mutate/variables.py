"""Which variables do the cells of a notebook need from the cells before them? Rather too many than too few."""

from __future__ import annotations

import ast


def loads(tree: ast.AST) -> set[str]:
    """Variables that are read or changed in place."""
    changed = {node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return {name.id for name in names if name in changed or not isinstance(name.ctx, ast.Store)}


def stores(tree: ast.AST) -> set[str]:
    """Variables that are bound."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _functions(trees: list[ast.Module]) -> dict[str, set[str]]:
    """For each name that a function or class of the notebook may be bound to, the names which its body needs."""
    needs: dict[str, set[str]] = {}
    for statement in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.stmt)):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            needs.setdefault(statement.name, set()).update(loads(statement))
        elif any(isinstance(node, ast.Lambda) for node in ast.walk(statement)):
            for name in stores(statement):
                needs.setdefault(name, set()).update(loads(statement))
    return needs


def needed_after(sources: list[str]) -> list[set[str]]:
    """For each cell, the variables that the following cells need from it or from earlier ones."""
    trees = [ast.parse(source) for source in sources]
    functions = _functions(trees)
    after: list[set[str]] = [set()]
    for tree in reversed(trees[1:]):
        after.append(_needed(tree, after[-1], functions))
    return after[::-1]


def _needed(tree: ast.Module, live: set[str], functions: dict[str, set[str]]) -> set[str]:
    """Variables needed before a cell, when ``live`` are needed after it."""
    for statement in reversed(tree.body):
        match statement:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                bound = {name}
            case ast.Assign(targets):
                bound = set().union(*map(stores, targets))
            case ast.For(target) | ast.AnnAssign(target):
                bound = stores(target)
            case _:
                bound = set()
        own = bound if isinstance(statement, ast.For) else set()
        live = (live - bound) | _closure(loads(statement) - own, functions)
    return live


def _closure(names: set[str], functions: dict[str, set[str]]) -> set[str]:
    """Names, and what the functions among them need."""
    reached: set[str] = set()
    while names - reached:
        reached |= names
        names = set().union(*(functions.get(name, set()) for name in reached))
    return reached
